import type { Owner } from '../../database/workspace-table.js'

/** Whose data is deleted. */
export interface Person {
  /** Of the erasure. */
  readonly id: string
  readonly workspace: Owner
  /** Digits with the country calling code. */
  readonly numbers: readonly string[]
  /** Ids of contacts, also of those that are deleted by now. */
  readonly contacts: string[]
}

/** The numbers as tables may have them: with their plus sign, and without. */
export function spellingsOf({ numbers }: Person): string[] {
  return numbers.flatMap((digits) => [digits, `+${digits}`])
}

/** Whether a text names the person by a number. */
export function isNamedIn(text: string, { numbers }: Person): boolean {
  return numbers.some((digits) => text.includes(digits))
}
