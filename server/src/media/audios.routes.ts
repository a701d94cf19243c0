import Type from 'typebox'
import { RawAnswer, apiKey, endpoint } from '../http/endpoint.js'
import { listAnswer, listOf, listQuery } from '../http/lists.js'
import { idParams } from '../http/shapes.js'
import { bodyValidator } from '../http/validation.js'
import type { Audio } from './audio.entity.js'
import { AudioShape, CreateAudio, UpdateAudio, UploadAudio } from './audio.schema.js'
import type { AudioService } from './audio.service.js'

const tag = 'Audios'
const read = apiKey('any')
const write = apiKey('full')

/** 20 MB. */
const maxUploadBytes = 20 * 1024 * 1024

const checkUpload = bodyValidator(UploadAudio)

export function audioEndpoints({ audios }: { audios: AudioService }) {
  return [
    endpoint({
      method: 'GET',
      path: '/audios',
      summary: 'List audios',
      tag,
      auth: read,
      query: listQuery({ limit: 10, sort: ['created_at', 'title'], search: 'Looks at the title' }),
      response: { 200: listOf(AudioShape) },
      handler: async ({ workspace, query }) =>
        listAnswer(query, await audios.list(workspace, query), present),
    }),
    endpoint({
      method: 'GET',
      path: '/audios/:id',
      summary: 'Show an audio',
      tag,
      auth: read,
      params: idParams,
      response: { 200: AudioShape },
      errors: { 404: 'No such audio' },
      handler: async ({ workspace, params }) => present(await audios.get(workspace, params.id)),
    }),
    endpoint({
      method: 'GET',
      path: '/audios/:id/content',
      summary: 'Download an audio as WAV',
      tag,
      auth: read,
      params: idParams,
      response: { 200: Type.String({ format: 'binary', contentMediaType: 'audio/wav' }) },
      errors: { 404: 'No such audio' },
      handler: async ({ workspace, params }) => {
        const { stream, size } = await audios.content(workspace, params.id)
        return new RawAnswer('audio/wav', stream, { 'Content-Length': String(size) })
      },
    }),
    endpoint({
      method: 'POST',
      path: '/audios',
      summary: 'Add an audio: a file, or speech rendered from text',
      description:
        'Send multipart/form-data with a `file` (WAV, MP3 or Ogg, 20 MB and ten minutes at most) and a `title`, or JSON with `title` and `text`.',
      tag,
      auth: write,
      tier: 'heavy',
      body: CreateAudio,
      upload: { field: 'file', maxBytes: maxUploadBytes },
      response: { 201: AudioShape },
      errors: { 403: 'The workspace holds as many audios as it may' },
      handler: async ({ workspace, body, file }) => {
        if (!file) return present(await audios.speak(workspace, body))
        const fields: unknown = body
        checkUpload(fields)
        return present(await audios.upload(workspace, file, fields as UploadAudio))
      },
    }),
    endpoint({
      method: 'PATCH',
      path: '/audios/:id',
      summary: 'Rename an audio',
      tag,
      auth: write,
      params: idParams,
      body: UpdateAudio,
      response: { 200: AudioShape },
      errors: { 404: 'No such audio' },
      handler: async ({ workspace, params, body }) =>
        present(await audios.update(workspace, params.id, body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/audios/:id',
      summary: 'Delete an audio',
      tag,
      auth: write,
      params: idParams,
      response: { 200: AudioShape },
      errors: { 404: 'No such audio', 409: 'Something uses it' },
      handler: async ({ workspace, params }) => present(await audios.delete(workspace, params.id)),
    }),
  ]
}

function present(audio: Audio) {
  return {
    ...audio,
    created_at: audio.created_at.toISOString(),
    updated_at: audio.updated_at.toISOString(),
  }
}
