/** Conversations with a person, with their messages, files and notes. That the person wants no texts stays known. */
import type { Database } from '../../../infrastructure/database/database.js'
import { type MessageRemoval, messageStatusesUnderWay } from '../message-removal.js'
import { listed } from './person.js'
import type { ErasureStep } from './erasure-run.js'

const deletedAtOnce = 50

export function eraseMessages(database: Database, messages: MessageRemoval): ErasureStep {
  return async ({ workspace, numbers }, progress) => {
    const conversations = await database.source.query<{ id: string }[]>(
      `SELECT id FROM conversations FORCE INDEX (conversations_pair)
       WHERE workspace_id = ? AND client_number IN (?)`,
      [workspace.id, listed(numbers)],
    )
    for (const { id } of conversations) {
      for (;;) {
        const some = await messages.oldestOf(workspace, id, deletedAtOnce)
        if (some.length === 0) break
        await progress.counted(async (tx) => messages.removeIn(tx, workspace, some))
      }
      let isEmpty = true
      await progress.counted(async (tx) => {
        const deleted = await messages.removeEmpty(tx, workspace, id)
        isEmpty = deleted !== null
        return deleted ?? {}
      })
      if (!isEmpty) progress.waits('messages', await countUnderWay(database, id))
    }
  }
}

async function countUnderWay(database: Database, conversationId: string): Promise<number> {
  const [row] = await database.source.query<{ n: string }[]>(
    'SELECT COUNT(*) AS n FROM messages WHERE conversation_id = ? AND status IN (?)',
    [conversationId, messageStatusesUnderWay],
  )
  return Math.max(1, Number(row?.n ?? 0))
}
