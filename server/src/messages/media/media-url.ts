import type { PublicUrls } from '../../http/public-urls.js'
import type { MessageAttachment } from './message-attachment.entity.js'

/** Where the files of messages are served, relative to the API. */
export const mediaPath = '/media'

/** The address of a file: whoever has it may fetch the file. */
export function mediaUrl(
  urls: PublicUrls,
  { workspace_id, id, token }: Pick<MessageAttachment, 'workspace_id' | 'id' | 'token'>,
): string {
  return urls.of(workspace_id, `${mediaPath}/${id}/${token}`)
}
