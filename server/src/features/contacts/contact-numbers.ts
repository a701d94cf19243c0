/** The numbers of contacts: reading what people write, and the table by which contacts are found. */
import type { EntityManager } from 'typeorm'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { type FieldProblem, ValidationError } from '../../infrastructure/http/errors.js'
import { type WorkspaceNumbers, notANumber } from '../phone-numbers/workspace-numbers.js'
import { type Contact, ContactNumber } from './contact.entity.js'

/**
 * Brings numbers to E.164 with the plus sign.
 * @throws 400 naming each one that is no possible number or is listed twice
 */
export async function normalizedNumbers(
  workspace: Owner,
  written: readonly string[],
  reader: WorkspaceNumbers,
): Promise<string[]> {
  const problems: FieldProblem[] = []
  const numbers: string[] = []
  for (const [index, text] of written.entries()) {
    const field = `numbers.${index}`
    const digits = await reader.digitsOf(workspace, text)
    const number = `+${digits}`
    if (digits === null) {
      problems.push({ field, messages: [notANumber(field)] })
    } else if (numbers.includes(number)) {
      problems.push({
        field,
        messages: [`${field} is the same number as numbers.${numbers.indexOf(number)}`],
      })
    }
    numbers.push(number)
  }
  if (problems.length > 0) throw new ValidationError(problems)
  return numbers
}

/** Writes by which numbers a contact is found, in place of those before. */
export async function replaceNumbers(
  tx: EntityManager,
  { id, workspace_id, numbers }: Contact,
): Promise<void> {
  await tx.delete(ContactNumber, { contact_id: id })
  const rows = numbers.map((number) => ({ contact_id: id, workspace_id, number: number.slice(1) }))
  await tx.insert(ContactNumber, rows)
}
