import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { clientAddress } from '../../calls/model/client-address.js'
import { Masking, type Names } from './masking.js'

/** Whose data is deleted. */
export interface Person extends Names {
  /** Of the erasure. */
  readonly id: string
  readonly workspace: Owner
  /** Ids of contacts, also of those that are deleted by now. */
  readonly contacts: string[]
  readonly masking: Masking
}

export function personOf(person: Omit<Person, 'masking'>): Person {
  return { ...person, masking: new Masking(person) }
}

/** The person as tables may name them: numbers with their plus sign and without, `client:<sub>`. */
export function spellingsOf({ numbers, clients }: Names): string[] {
  return [...numbers.flatMap((digits) => [digits, `+${digits}`]), ...clients.map(clientAddress)]
}

/** Values for an SQL list that may be empty otherwise: no column has an empty text where it names somebody. */
export function listed(values: readonly string[]): readonly string[] {
  return values.length > 0 ? values : ['']
}
