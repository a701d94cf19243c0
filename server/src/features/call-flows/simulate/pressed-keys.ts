/**
 * The keys that a simulated caller presses. As on a real call, keys that no node waited for are kept for the next one that
 * does.
 */
export class PressedKeys {
  private ahead = ''
  private position = 0

  constructor(private readonly presses: readonly (string | null)[]) {}

  /** Waits for one key; null when none is pressed. */
  one(): string | null {
    this.press()
    const [key = null] = this.ahead
    this.ahead = this.ahead.slice(1)
    return key
  }

  /** Waits until there are enough digits, for `#`, or for another key in vain. */
  collect(maxDigits: number): { digits: string; status: 'completed' | 'timeout' } {
    this.press()
    const [taken, digits = '', end] = new RegExp(`^([^#]{0,${maxDigits}})(#?)`).exec(this.ahead) ?? ['']
    const full = digits.length === maxDigits
    // The key that would end what has ended is typed ahead.
    this.ahead = this.ahead.slice(full ? digits.length : taken.length)
    return { digits, status: full || end ? 'completed' : 'timeout' }
  }

  private press(): void {
    this.ahead += this.presses[this.position++] ?? ''
  }
}
