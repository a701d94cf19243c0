/** The configured keys: the one that seals and signs, and, during a rotation, the previous one. */
import { secretId } from './secret-id.js'

export interface Key {
  /** Identifies the key and reveals nothing about it: 8 hexadecimal digits. */
  readonly id: string
  readonly bytes: Buffer
}

export class Keyring {
  private keys: readonly [Key, ...Key[]]

  /** @param old keys that are still read with */
  constructor(current: Buffer, old: readonly Buffer[] = []) {
    this.keys = [keyOf(current), ...old.map(keyOf)]
  }

  /** Takes other keys from now on. */
  replace(current: Buffer, old: readonly Buffer[]): void {
    this.keys = [keyOf(current), ...old.map(keyOf)]
  }

  get current(): Key {
    return this.keys[0]
  }

  /** All that are read with, the current one first. */
  get all(): readonly Key[] {
    return this.keys
  }
}

function keyOf(bytes: Buffer): Key {
  return { id: secretId(bytes, 'key'), bytes }
}
