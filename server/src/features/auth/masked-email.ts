/** An e-mail address of which its owner recognises enough (contract, Session and password endpoints, rule 4). */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const local = [...email.slice(0, at)]
  const shown = Math.min(2, local.length - 1)
  return local.slice(0, shown).join('') + '*'.repeat(local.length - shown) + email.slice(at)
}
