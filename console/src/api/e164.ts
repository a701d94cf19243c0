/** A number of the workspace as people write it; the API has it as digits only. */
export function e164(number: string): string {
  return `+${number.replace('+', '')}`
}

/** Whether a party can be called back: one that withheld its number is `anonymous` in the API. */
export function isCallable(number: string): boolean {
  return number !== '' && number !== 'anonymous'
}
