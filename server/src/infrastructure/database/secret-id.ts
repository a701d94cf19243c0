/** Ids of secrets, which tell them apart and reveal nothing about them. */
import { hkdfSync } from 'node:crypto'

/** @returns 8 hexadecimal digits; another kind of secret has another name even where it is the same */
export function secretId(secret: Buffer | string, kind: 'key' | 'operator token'): string {
  return Buffer.from(hkdfSync('sha256', secret, '', `jackfield ${kind} id`, 4)).toString('hex')
}
