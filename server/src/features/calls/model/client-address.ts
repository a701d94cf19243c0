/** How calls name a user of a customer's app: `client:<sub>`, by the `sub` of the JWT that the customer's backend signs. */
import { subjectPattern } from '../../../infrastructure/tokens/client-tokens.js'

const prefix = 'client:'

/** Longest address, in characters. */
export const maxClientAddress = prefix.length + 64

/** Matches an address, or the `sub` alone. */
export const clientPattern = `^(${prefix})?${subjectPattern}$`

const addressRule = new RegExp(`^${prefix}(${subjectPattern})$`)

export function clientAddress(sub: string): string {
  return `${prefix}${sub}`
}

/** The `sub` of an address; null if the text is not one. */
export function subOf(text: string): string | null {
  return addressRule.exec(text)?.[1] ?? null
}
