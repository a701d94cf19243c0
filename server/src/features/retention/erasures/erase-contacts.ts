/** Contacts of a person. A contact with other numbers loses only the person's. */
import type { EntityManager } from 'typeorm'
import type { Database } from '../../../infrastructure/database/database.js'
import type { Deleted } from '../call-removal.js'
import { Contact } from '../../contacts/contact.entity.js'
import { replaceNumbers } from '../../contacts/contact-numbers.js'
import { freePlace } from '../../../infrastructure/resources/limits.js'
import type { ErasureStep } from './erasure-run.js'
import { Erasure } from './erasure.entity.js'
import { type Person, listed } from './person.js'

export function eraseContacts(database: Database): ErasureStep {
  return async (person, progress) => {
    const { workspace, numbers, contacts } = person
    const found = await database.source.query<{ id: string }[]>(
      'SELECT DISTINCT contact_id AS id FROM contact_numbers WHERE workspace_id = ? AND number IN (?)',
      [workspace.id, listed(numbers)],
    )
    const ids = new Set([...contacts, ...found.map(({ id }) => id)])
    for (const id of ids) await progress.counted(async (tx) => eraseContact(tx, person, id))
  }
}

async function eraseContact(tx: EntityManager, person: Person, id: string): Promise<Deleted> {
  const contact = await tx.findOne(Contact, {
    where: { id, workspace_id: person.workspace.id },
    lock: { mode: 'pessimistic_write' },
  })
  if (!contact) return {}
  const others = contact.numbers.filter((number) => !person.numbers.includes(number.slice(1)))
  if (others.length > 0 && !person.contacts.includes(id)) {
    const changed = { ...contact, numbers: others, updated_at: new Date() }
    await tx.update(Contact, id, {
      ...{ numbers: others, updated_at: changed.updated_at },
      search_text: Contact.searchText.of(changed),
    })
    await replaceNumbers(tx, changed)
    return { contact_numbers: contact.numbers.length - others.length }
  }
  await tx.query('DELETE FROM contacts WHERE id = ?', [id])
  await freePlace(tx, 'contacts', person.workspace)
  if (!person.contacts.includes(id)) person.contacts.push(id)
  // The audit log is freed of it later, and may be by another server.
  await tx.update(Erasure, person.id, { contacts: person.contacts })
  return { contacts: 1 }
}
