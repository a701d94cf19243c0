/** A number of the workspace as people write it: the API tells of these as digits. */
export function e164(number: string): string {
  return `+${number.replace('+', '')}`
}
