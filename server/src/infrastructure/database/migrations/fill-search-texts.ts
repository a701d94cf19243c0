/** What is searched of the rows that were there before it was kept. */
import type { QueryRunner } from 'typeorm'
import { textOfParts } from '../search-text.js'

type Row = Readonly<Record<string, string | null>> & { readonly id: string }

interface Table {
  readonly name: string
  readonly columns: readonly string[]
  /** Of `search_text`. */
  readonly bytes: number
  readonly partsOf: (row: Row) => (string | null)[]
}

const tables: readonly Table[] = [
  {
    ...{ name: 'messages', columns: ['system_number', 'client_number', 'body'], bytes: 2_900 },
    partsOf: ({ system_number = null, client_number = null, body = null }) => [
      system_number,
      client_number,
      body,
    ],
  },
  {
    ...{ name: 'calls', columns: ['from_number', 'to_number', 'from_name', 'to_name'], bytes: 600 },
    partsOf: ({ from_number = null, to_number = null, from_name = null, to_name = null }) => [
      ...[from_number, to_number, from_name, to_name],
    ],
  },
  {
    ...{ name: 'contacts', columns: ['name', 'email', 'numbers'], bytes: 1_200 },
    partsOf: ({ name, email, numbers }) => [
      [name, email, typeof numbers === 'string' ? numbers : JSON.stringify(numbers)]
        .filter((part) => part !== null)
        .join(' '),
    ],
  },
]

const atOnce = 2_000

/** Some rows at a time: no transaction holds those of years. */
export async function fillSearchTexts(runner: QueryRunner): Promise<void> {
  for (const { name, columns, bytes, partsOf } of tables) {
    for (let after = ''; ;) {
      const rows = (await runner.query(
        `SELECT id, ${columns.join(', ')} FROM ${name} WHERE id > ? ORDER BY id LIMIT ${atOnce}`,
        [after],
      )) as Row[]
      const last = rows.at(-1)
      if (!last) break
      const texts = rows.flatMap((row) => [row.id, textOfParts(partsOf(row), bytes)])
      await runner.query(
        `UPDATE ${name} JOIN (${rows.map(() => 'SELECT ? AS id, ? AS text').join(' UNION ALL ')}) filled
           ON filled.id = ${name}.id SET ${name}.search_text = filled.text`,
        texts,
      )
      after = last.id
    }
  }
}
