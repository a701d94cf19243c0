/** Unchecked fields of a provider's message. */
export class Fields {
  private readonly all: Readonly<Record<string, unknown>>

  constructor(value: unknown) {
    this.all = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  }

  /** '' where it has no such text. */
  text(name: string): string {
    const value = this.all[name]
    return typeof value === 'string' ? value : ''
  }

  /** 0 where it has no such number, or one below 0. */
  number(name: string): number {
    const value = this.all[name]
    return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : 0
  }

  fields(name: string): Fields {
    return new Fields(this.all[name])
  }

  list(name: string): Fields[] {
    const value = this.all[name]
    return Array.isArray(value) ? value.map((one) => new Fields(one)) : []
  }

  has(name: string): boolean {
    return this.all[name] !== undefined && this.all[name] !== null
  }
}
