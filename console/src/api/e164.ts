/** A number of the workspace as people write it; the API has it as digits only. */
export function e164(number: string): string {
  return `+${number.replace('+', '')}`
}
