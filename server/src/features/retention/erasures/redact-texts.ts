/** Records of others, in which somebody has written or said how the person is reached: only that is hidden. */
import type { Database } from '../../../infrastructure/database/database.js'
import type { ErasureStep } from './erasure-run.js'
import { nationalDigits } from './masking.js'
import type { Person } from './person.js'
import type { Progress } from './progress.js'
import { walk, walkByKey } from './walk.js'

const messagesAtOnce = 500
const notesAtOnce = 500
const callsAtOnce = 100

type Row = Record<string, unknown> & { id: string }

/** Texts of messages with others. */
export function redactMessages(database: Database): ErasureStep {
  return async (person, progress) => {
    const pages = walk<Row>(database, person.workspace, {
      ...{ table: 'messages', index: 'messages_by_created_at', columns: ['body'], rows: messagesAtOnce },
    })
    for await (const page of progress.paced(pages)) await redact(person, progress, 'messages', page)
  }
}

/** Notes on conversations with others. */
export function redactNotes(database: Database): ErasureStep {
  return async (person, progress) => {
    const pages = walkByKey<Row>(database, person.workspace, 'id', {
      ...{ table: 'conversation_notes', index: 'conversation_notes_by_workspace' },
      ...{ columns: ['body'], rows: notesAtOnce },
    })
    for await (const page of progress.paced(pages)) await redact(person, progress, 'conversation_notes', page)
  }
}

/**
 * Calls of others that name the person: transcripts, timelines, and the actions that they ran. Timelines and actions have
 * digits as they are dialled, so the database can search them; transcripts are read.
 */
export function redactCalls(database: Database): ErasureStep {
  return async (person, progress) => {
    const { workspace, numbers, clients } = person
    const sought = [...numbers.map(nationalDigits), ...clients].map((text) => `%${text}%`)
    const like = (columns: string) => sought.map(() => `CONCAT_WS(' ', ${columns}) LIKE ?`).join(' OR ')
    const pages = walk<Row>(database, workspace, {
      ...{ table: 'calls', index: 'calls_history', columns: [], rows: callsAtOnce },
    })
    for await (const page of progress.paced(pages)) {
      const ids = page.map(({ id }) => id)
      const dialogue = await database.source.query<Row[]>(
        'SELECT id, text FROM call_dialogue WHERE call_id IN (?)',
        [ids],
      )
      await redact(person, progress, 'call_dialogue', dialogue)
      const voicemails = await database.source.query<Row[]>(
        'SELECT id, transcript FROM recordings WHERE call_id IN (?) AND transcript IS NOT NULL',
        [ids],
      )
      await redact(person, progress, 'recordings', voicemails)
      const events = await database.source.query<Row[]>(
        `SELECT id, to_party, details FROM call_events WHERE call_id IN (?) AND (${like('to_party, details')})`,
        [ids, ...sought],
      )
      await redact(person, progress, 'call_events', events)
      const columns = 'from_name, to_name, script, pending_script'
      const calls = await database.source.query<Row[]>(
        `SELECT id, ${columns} FROM calls WHERE id IN (?) AND live IS NULL AND (${like(columns)})`,
        [ids, ...sought],
      )
      await redact(person, progress, 'calls', calls)
    }
  }
}

const jsonColumns: ReadonlySet<string> = new Set(['to_party', 'details', 'script', 'pending_script'])

/** Rewrites the rows that name the person, and leaves the others as they are. */
async function redact(
  { masking }: Person,
  progress: Progress,
  table: string,
  rows: readonly Row[],
): Promise<void> {
  for (const { id, created_at: _, ...columns } of rows) {
    const changed: [column: string, text: string][] = []
    for (const [name, value] of Object.entries(columns)) {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      if (value === null || !masking.isNamedIn(text)) continue
      const isJson = jsonColumns.has(name)
      changed.push([
        name,
        isJson ? JSON.stringify(masking.without(JSON.parse(text))) : masking.textWithout(text),
      ])
    }
    if (changed.length === 0) continue
    const isSearched = table === 'messages' || table === 'calls'
    await progress.counted(async (tx) => {
      const { affectedRows } = await tx.query<{ affectedRows: number }>(
        `UPDATE ${table} SET ${changed.map(([name]) => `${name} = ?`).join(', ')}
         ${isSearched ? ', search_text = NULL' : ''} WHERE id = ?`,
        [...changed.map(([, text]) => text), id],
      )
      return { [`${table}_masked`]: affectedRows }
    })
  }
}
