/** Secrets at rest: AES-256-GCM with a key from the configuration, which each sealed text names. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Keyring } from './keyring.js'

const version = 'v2'

/** Texts that name no key, as they were sealed before keys could be replaced. */
const nameless = 'v1'

export class SecretBox {
  constructor(private readonly keys: Keyring) {}

  /** Encrypts; `purpose` is bound to the result, so that one column's value cannot stand in another's. */
  seal(plain: string, purpose: string): string {
    const { id, bytes } = this.keys.current
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', bytes, nonce).setAAD(Buffer.from(purpose))
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return [
      version,
      id,
      ...[nonce, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url')),
    ].join('.')
  }

  /** @throws {Error} when the text was changed, or sealed with a key that is not ours or for another purpose */
  open(sealed: string, purpose: string): string {
    const [found, ...rest] = sealed.split('.')
    if (found === version) {
      const [id, ...parts] = rest
      const key = this.keys.all.find((one) => one.id === id)
      if (!key) throw new Error('sealed with another key')
      return decrypt(key.bytes, parts, purpose)
    }
    if (found !== nameless) throw new Error('not a sealed secret')
    for (const { bytes } of this.keys.all) {
      try {
        return decrypt(bytes, rest, purpose)
      } catch {
        // The next key may open it.
      }
    }
    throw new Error('sealed with another key, or changed')
  }

  /** What sealed texts of the current key begin with. */
  get prefix(): string {
    return `${version}.${this.keys.current.id}.`
  }
}

function decrypt(key: Buffer, [nonce, content, tag]: readonly string[], purpose: string): string {
  if (!nonce || content === undefined || !tag) throw new Error('not a sealed secret')
  // The length is named, as shorter tags would be taken otherwise, which are easily forged.
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), {
    authTagLength: 16,
  })
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(Buffer.from(tag, 'base64url'))
  return Buffer.concat([decipher.update(Buffer.from(content, 'base64url')), decipher.final()]).toString(
    'utf8',
  )
}
