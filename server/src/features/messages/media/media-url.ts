import type { PublicUrls } from '../../../infrastructure/http/public-urls.js'
import type { MessageAttachment } from './message-attachment.entity.js'

/** Where the files of messages are served, relative to the API. */
export const mediaPath = '/media'

/** The parts of an address. */
export type NamedMedia = Pick<MessageAttachment, 'id' | 'token'>

/** The address of a file. It contains a token; anyone with it can fetch the file. */
export function mediaUrl(
  urls: PublicUrls,
  { workspace_id, id, token }: NamedMedia & Pick<MessageAttachment, 'workspace_id'>,
): string {
  return urls.of(workspace_id, `${mediaPath}/${id}/${token}`)
}

/** Parses an address of the workspace's own files; null for an address on another server. */
export function mediaNamed(urls: PublicUrls, workspaceId: string, url: string): NamedMedia | null {
  const ours = urls.of(workspaceId, `${mediaPath}/`)
  if (!url.startsWith(ours)) return null
  const [id = '', token = '', ...more] = url.slice(ours.length).split('/')
  return more.length === 0 ? { id, token } : { id: '', token: '' }
}
