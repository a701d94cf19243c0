/** Headers that a customer has chosen for requests of ours, in a column: sealed, as they carry credentials. */
import type { SecretBox } from './secrets.js'

type Headers = Readonly<Record<string, string>>

/** @param purpose of the column @returns null without any */
export function sealedHeaders(secrets: SecretBox, headers: Headers, purpose: string): string | null {
  return Object.keys(headers).length > 0 ? secrets.seal(JSON.stringify(headers), purpose) : null
}

/** The headers in clear. */
export function openedHeaders(
  secrets: SecretBox,
  sealed: string | null,
  purpose: string,
): Record<string, string> {
  return sealed === null ? {} : (JSON.parse(secrets.open(sealed, purpose)) as Record<string, string>)
}
