/** Secrets at rest: AES-256-GCM with the key from the configuration. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const version = 'v1'

export class SecretBox {
  constructor(private readonly key: Buffer) {}

  /** Encrypts; `purpose` is bound to the result, so that one column's value cannot stand in another's. */
  seal(plain: string, purpose: string): string {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(purpose))
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return [version, nonce, sealed, cipher.getAuthTag()]
      .map((part) => (typeof part === 'string' ? part : part.toString('base64url')))
      .join('.')
  }

  /** @throws {Error} when the text was changed, or sealed with another key or for another purpose */
  open(sealed: string, purpose: string): string {
    const [found, nonce, content, tag] = sealed.split('.')
    if (found !== version || !nonce || content === undefined || !tag) throw new Error('not a sealed secret')
    // The length is named, as shorter tags would be taken otherwise, which are easily forged.
    const decipher = createDecipheriv('aes-256-gcm', this.key, Buffer.from(nonce, 'base64url'), {
      authTagLength: 16,
    })
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(Buffer.from(tag, 'base64url'))
    return Buffer.concat([decipher.update(Buffer.from(content, 'base64url')), decipher.final()]).toString(
      'utf8',
    )
  }
}
