import type { MigrationInterface, QueryRunner } from 'typeorm'

interface Named {
  id: string
  name: string
  notes: string | null
}

/** Names and notes of contacts are kept in Unicode's composed form: a search without accents finds them then. */
export class ComposedContacts1790000000162 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (let after = ''; ;) {
      const rows = (await runner.query(
        'SELECT id, name, notes FROM contacts WHERE id > ? ORDER BY id LIMIT 1000',
        [after],
      )) as Named[]
      for (const { id, name, notes } of rows) {
        const [composed, note] = [composedOf(name), notes === null ? null : composedOf(notes)]
        if (composed !== name || note !== notes)
          await runner.query('UPDATE contacts SET name = ?, notes = ? WHERE id = ?', [composed, note, id])
      }
      const last = rows.at(-1)
      if (!last) return
      after = last.id
    }
  }

  async down(): Promise<void> {
    // Both forms are read alike.
  }
}

/** The composed form, unless it is longer: the column may be full. */
function composedOf(text: string): string {
  const form = text.normalize('NFC')
  return form.length > text.length ? text : form
}
