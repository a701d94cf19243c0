/** A value that changes, as React's `useSyncExternalStore` reads it. */
export abstract class Watched<T> {
  private readonly listeners = new Set<() => void>()

  constructor(private value: T) {}

  /** @returns the unsubscribe function */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  snapshot = (): T => this.value

  get state(): T {
    return this.value
  }

  protected set(value: T): void {
    this.value = value
    for (const listener of [...this.listeners]) listener()
  }
}
