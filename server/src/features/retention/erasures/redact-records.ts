/** What has to stay is freed of a person: the audit log, and the answers that a repeated request is given again. */
import type { Database } from '../../../infrastructure/database/database.js'
import type { ErasureStep } from './erasure-run.js'
import { walk, walkByKey } from './walk.js'

const readAtOnce = 500

interface Entry {
  id: string
  actor_kind: string
  actor_id: string | null
  target_id: string
  target_name: string | null
  changes: string | object
}

/** Of a contact that was deleted the log keeps who did what and when. */
export function redactAuditLog(database: Database): ErasureStep {
  return async (person, progress) => {
    const { masking } = person
    const pages = walk<Entry>(database, person.workspace, {
      ...{ table: 'audit_log', index: 'audit_log_by_created_at', rows: readAtOnce },
      columns: ['actor_kind', 'actor_id', 'target_id', 'target_name', 'changes'],
    })
    for await (const page of progress.paced(pages)) {
      for (const { id, actor_kind, actor_id, target_id, target_name, changes } of page) {
        const text = typeof changes === 'string' ? changes : JSON.stringify(changes)
        const isOfContact = person.contacts.includes(target_id)
        const isActor = actor_kind === 'client' && actor_id !== null && person.clients.includes(actor_id)
        const isNamed = masking.isNamedIn(`${target_name ?? ''} ${text}`)
        if (isOfContact && target_name === null && text === '{}' && !isActor) continue
        if (!isOfContact && !isNamed && !isActor) continue
        const kept = isOfContact ? {} : masking.without(JSON.parse(text))
        const name = isOfContact ? null : masking.without(target_name)
        await progress.counted(async (tx) => {
          await tx.query('UPDATE audit_log SET actor_id = ?, target_name = ?, changes = ? WHERE id = ?', [
            ...[isActor ? null : actor_id, name, JSON.stringify(kept), id],
          ])
          return { audit_log: 1 }
        })
      }
    }
  }
}

interface Answer {
  answer: string | object
}

/** The keys stay: without one a repeated request would be done again. */
export function redactAnswers(database: Database): ErasureStep {
  return async (person, progress) => {
    const pages = walkByKey<Answer>(database, person.workspace, 'idempotency_key', {
      ...{ table: 'idempotency_keys', index: 'PRIMARY', columns: ['answer'], rows: readAtOnce },
    })
    for await (const page of progress.paced(pages)) {
      for (const { id: key, answer } of page) {
        const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
        if (!person.masking.isNamedIn(text)) continue
        const kept = JSON.stringify(person.masking.without(JSON.parse(text)), (name, value: unknown) =>
          name === 'body' && typeof value === 'string' ? '' : value,
        )
        await progress.counted(async (tx) => {
          await tx.query(
            'UPDATE idempotency_keys SET answer = ? WHERE workspace_id = ? AND idempotency_key = ?',
            [...[kept, person.workspace.id, key]],
          )
          return { idempotency_keys: 1 }
        })
      }
    }
  }
}
