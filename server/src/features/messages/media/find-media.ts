/** Files by what their addresses name. */
import { timingSafeEqual } from 'node:crypto'
import type { Database } from '../../../infrastructure/database/database.js'
import { isId } from '../../../infrastructure/database/ids.js'
import type { NamedMedia } from './media-url.js'
import { MessageAttachment } from './message-attachment.entity.js'
import { MessageUpload } from './message-upload.entity.js'

/** The file of a message, or an upload that waits for its message; null if the workspace has no such file. */
export async function findMedia(
  database: Database,
  workspaceId: string,
  { id, token }: NamedMedia,
): Promise<MessageAttachment | MessageUpload | null> {
  if (!isId(id, 'att')) return null
  // A message may take it between the two looks: the upload comes first.
  const row =
    (await database.platformTable(MessageUpload).findOneBy({ id })) ??
    (await database.platformTable(MessageAttachment).findOneBy({ id }))
  return row?.workspace_id === workspaceId && isSame(row.token, token) ? row : null
}

function isSame(token: string, given: string): boolean {
  const [one, other] = [Buffer.from(token), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
