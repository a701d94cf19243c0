import { createHash } from 'node:crypto'

/** What a link names of the credentials that it was made for: it holds until one of them changes. */
export function stampOf(...credentials: readonly string[]): string {
  return createHash('sha256').update(credentials.join(' ')).digest('base64url')
}
