/** Webhook deliveries that name a person, or are about calls and messages that are gone. */
import type { Database } from '../../../infrastructure/database/database.js'
import type { ErasureStep } from './erasure-run.js'
import { walk } from './walk.js'

const readAtOnce = 300

/** What bodies refer to by id, and where it is if it is still there. */
const tables = { call: 'calls', msg: 'messages', conv: 'conversations', con: 'contacts' } as const
const reference = /"(call|msg|conv|con)_[0-9a-z]{26}"/g

interface Delivery {
  id: string
  status: string
  body: string
}

export function eraseDeliveries(database: Database): ErasureStep {
  return async (person, progress) => {
    const pages = walk<Delivery>(database, person.workspace, {
      ...{ table: 'webhook_deliveries', index: 'webhook_deliveries_by_workspace', rows: readAtOnce },
      columns: ['status', 'body'],
    })
    for await (const page of progress.paced(pages)) {
      const gone = await missing(database, page)
      const about = page.filter(
        ({ body }) => person.masking.isNamedIn(body) || referencesOf(body).some((id) => gone.has(id)),
      )
      if (about.length === 0) continue
      const ids = about.map(({ id }) => id)
      const { webhook_deliveries = 0 } = await progress.counted(async (tx) => {
        const { affectedRows } = await tx.query<{ affectedRows: number }>(
          "DELETE FROM webhook_deliveries WHERE id IN (?) AND status <> 'pending'",
          [ids],
        )
        return { webhook_deliveries: affectedRows }
      })
      progress.waits('webhook_deliveries', ids.length - webhook_deliveries)
    }
  }
}

function referencesOf(body: string): string[] {
  return (body.match(reference) ?? []).map((quoted) => quoted.slice(1, -1))
}

async function missing(database: Database, page: readonly Delivery[]): Promise<ReadonlySet<string>> {
  const gone = new Set(page.flatMap(({ body }) => referencesOf(body)))
  for (const [prefix, table] of Object.entries(tables)) {
    const ids = [...gone].filter((id) => id.startsWith(`${prefix}_`))
    if (ids.length === 0) continue
    const there = await database.source.query<{ id: string }[]>(`SELECT id FROM ${table} WHERE id IN (?)`, [
      ids,
    ])
    for (const { id } of there) gone.delete(id)
  }
  return gone
}
