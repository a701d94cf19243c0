/** Keys that a caller has pressed and no action has read yet. */

/** Later ones push out the first. */
const maxKeys = 64

export class TypedKeys {
  private typed = ''

  get any(): boolean {
    return this.typed !== ''
  }

  press(key: string): void {
    this.typed = (this.typed + key).slice(-maxKeys)
  }

  /** Those pressed since they were last taken, the oldest first. */
  take(): string {
    const { typed } = this
    this.typed = ''
    return typed
  }

  /** Puts keys back that were taken and not used, before those pressed since. */
  giveBack(keys: string): void {
    this.typed = (keys + this.typed).slice(0, maxKeys)
  }
}
