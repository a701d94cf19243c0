/** Calls that a person had, and recordings that are left of others. */
import type { EntityManager } from 'typeorm'
import type { Database } from '../../../infrastructure/database/database.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { CallRemoval } from '../call-removal.js'
import type { ErasureStep } from './erasure-run.js'
import { type Person, spellingsOf } from './person.js'
import { piecesOf, walk } from './walk.js'

const readAtOnce = 2_000
const deletedAtOnce = 20

interface Parts {
  database: Database
  calls: CallRemoval
  /** Deletes those that are not being made any more. @returns how many */
  deleteRecordings: (tx: EntityManager, workspace: Owner, ids: readonly string[]) => Promise<number>
}

interface Parties {
  from_number: string
  to_number: string
}

interface CallParties extends Parties {
  client_sub: string | null
}

/** The person may be the caller, the called party, or a party that one of its legs names. */
export function eraseCalls({ database, calls }: Parts): ErasureStep {
  return async (person, progress) => {
    const { workspace } = person
    const spellings = spellingsOf(person)
    const pages = walk<CallParties>(database, workspace, {
      ...{ table: 'calls', index: 'calls_history', rows: readAtOnce },
      columns: ['from_number', 'to_number', 'client_sub'],
    })
    for await (const page of progress.paced(pages)) {
      const legs = await database.source.query<{ id: string }[]>(
        'SELECT DISTINCT call_id AS id FROM call_legs WHERE call_id IN (?) AND number IN (?)',
        [page.map(({ id }) => id), spellings],
      )
      const own = page.filter(
        (call) => isOf(call, spellings) || person.clients.includes(call.client_sub ?? ''),
      )
      const ids = [...new Set([...own, ...legs].map(({ id }) => id))]
      for (const some of piecesOf(ids, deletedAtOnce)) {
        const deleted = await progress.counted(async (tx) => calls.removeIn(tx, workspace, some, true))
        progress.waits('calls', some.length - (deleted['calls'] ?? 0))
      }
    }
  }
}

export function eraseRecordings({ database, deleteRecordings }: Parts): ErasureStep {
  return async (person, progress) => {
    const { workspace } = person
    const spellings = [...spellingsOf(person), ...(await callingClients(database, person))]
    const pages = walk<Parties>(database, workspace, {
      ...{ table: 'recordings', index: 'recordings_by_created_at', rows: readAtOnce },
      columns: ['from_number', 'to_number'],
    })
    for await (const page of progress.paced(pages)) {
      const ids = page.filter((recording) => isOf(recording, spellings)).map(({ id }) => id)
      if (ids.length === 0) continue
      const { recordings = 0 } = await progress.counted(async (tx) => ({
        recordings: await deleteRecordings(tx, workspace, ids),
      }))
      progress.waits('recordings', ids.length - recordings)
    }
  }
}

function isOf({ from_number, to_number }: Parties, spellings: readonly string[]): boolean {
  return spellings.includes(from_number) || spellings.includes(to_number)
}

/** The clients whose own calls a recording names, by the `sub` alone: left out where an agent or a SIP account has that username. */
async function callingClients(database: Database, { workspace, clients }: Person): Promise<string[]> {
  if (clients.length === 0) return []
  const taken = await database.source.query<{ username: string }[]>(
    `SELECT username FROM agents WHERE workspace_id = ? AND username IN (?)
     UNION SELECT username FROM sip_accounts WHERE workspace_id = ? AND username IN (?)`,
    [workspace.id, clients, workspace.id, clients],
  )
  const usernames = new Set(taken.map(({ username }) => username.toLowerCase()))
  return clients.filter((sub) => !usernames.has(sub.toLowerCase()))
}
