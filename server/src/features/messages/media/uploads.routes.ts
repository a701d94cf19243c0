import Type from 'typebox'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import {
  type ManagingActor,
  type UploadedFile,
  agent,
  apiKey,
  endpoint,
  writerRoles,
} from '../../../infrastructure/http/endpoint.js'
import { invalidField } from '../../../infrastructure/http/errors.js'
import type { PublicUrls } from '../../../infrastructure/http/public-urls.js'
import { Timestamp, idParams } from '../../../infrastructure/http/shapes.js'
import { mediaUrl } from './media-url.js'
import type { MessageUpload } from './message-upload.entity.js'
import { type MediaUploads, maxUntaken, untakenUntil } from './uploads.js'

const write = apiKey('any', writerRoles)

const UploadedMediaShape = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ description: 'For `media_urls`; anyone with it can fetch the file' }),
    content_type: Type.String({ description: 'Detected by the file’s content' }),
    bytes: Type.Integer(),
    created_at: Timestamp,
    expires_at: Type.String({
      format: 'date-time',
      description: 'When the file is removed, unless a message uses it by then',
    }),
  },
  { title: 'UploadedMedia' },
)

interface Services {
  uploads: MediaUploads
  urls: PublicUrls
  /** Bytes of all files of a message. */
  maxBytes: number
}

export function uploadEndpoints({ uploads, urls, maxBytes }: Services) {
  const present = (upload: MessageUpload) => ({
    ...{ id: upload.id, url: mediaUrl(urls, upload) },
    ...{ content_type: upload.content_type, bytes: upload.bytes },
    created_at: upload.created_at.toISOString(),
    expires_at: untakenUntil(upload).toISOString(),
  })
  const keep = async (workspace: Owner, uploaderId: string, file: UploadedFile | undefined) => {
    if (!file) throw invalidField('file', 'file is required, as multipart/form-data')
    return present(await uploads.keep(workspace, uploaderId, file))
  }
  const uploading = {
    method: 'POST',
    summary: 'Upload a file to send with a message',
    description:
      'Send multipart/form-data with a `file`: a JPEG, PNG or GIF picture, or audio (MP3, WAV, Ogg, AMR, AAC, M4A). Put its `url` into the `media_urls` of a message of the workspace. A file that no message uses within a day is removed.',
    tier: 'heavy',
    upload: { field: 'file', maxBytes },
    response: { 201: UploadedMediaShape },
    errors: {
      403: `${maxUntaken} files of the same agent or key wait for a message`,
    },
  } as const
  const removing = {
    method: 'DELETE',
    summary: 'Delete one of your own files that no message uses',
    params: idParams,
    response: { 200: UploadedMediaShape },
    errors: { 404: 'No such file, or a message has taken it' },
  } as const
  return [
    endpoint({
      ...uploading,
      path: '/call-center/media',
      tag: 'Conversations',
      auth: agent(),
      handler: async ({ workspace, actor, file }) => keep(workspace, actor.id, file),
    }),
    endpoint({
      ...removing,
      path: '/call-center/media/:id',
      tag: 'Conversations',
      auth: agent(),
      handler: async ({ workspace, actor, params }) =>
        present(await uploads.remove(workspace, actor.id, params.id)),
    }),
    endpoint({
      ...uploading,
      path: '/messages/media',
      tag: 'Messages',
      auth: write,
      handler: async ({ workspace, actor, file }) => keep(workspace, uploaderOf(actor), file),
    }),
    endpoint({
      ...removing,
      path: '/messages/media/:id',
      tag: 'Messages',
      auth: write,
      handler: async ({ workspace, actor, params }) =>
        present(await uploads.remove(workspace, uploaderOf(actor), params.id)),
    }),
  ]
}

function uploaderOf(actor: ManagingActor): string {
  if (actor.kind === 'agent') return actor.id
  return actor.kind === 'api_key' ? actor.sid : actor.kind
}
