/** Values of a label that come from outside: so many different ones are kept, and all others are one. */
export class BoundedLabel {
  private readonly known = new Set<string>()

  constructor(
    private readonly pattern: RegExp,
    private readonly most: number,
  ) {}

  of(value: string): string {
    if (this.known.has(value)) return value
    if (this.known.size >= this.most || !this.pattern.test(value)) return 'other'
    this.known.add(value)
    return value
  }
}
