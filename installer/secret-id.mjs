/** Ids of secrets, as in the server (server/src/infrastructure/database/secret-id.ts). */
import { hkdfSync } from 'node:crypto'

/**
 * @param {Buffer | string} secret
 * @param {'key' | 'operator token'} kind
 * @returns {string} 8 hexadecimal digits
 */
export function secretId(secret, kind) {
  return Buffer.from(hkdfSync('sha256', secret, '', `jackfield ${kind} id`, 4)).toString('hex')
}
