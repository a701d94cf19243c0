/** Hides the numbers of a person in what has to stay. */

/** `+12025550142` as `+12•••••••42`. @param digits with the country calling code, without a plus sign */
export function maskedNumber(digits: string): string {
  return `+${digits.slice(0, 2)}${'•'.repeat(Math.max(0, digits.length - 4))}${digits.slice(-2)}`
}

/** Replaces numbers, with and without their plus sign, wherever they stand in the texts of a JSON value. */
export function withoutNumbers(value: unknown, numbers: readonly string[]): unknown {
  if (typeof value === 'string') return numbers.reduce(masked, value)
  if (Array.isArray(value)) return value.map((one) => withoutNumbers(one, numbers))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutNumbers(one, numbers)]))
}

function masked(text: string, digits: string): string {
  return text.split(`+${digits}`).join(maskedNumber(digits)).split(digits).join(maskedNumber(digits))
}
