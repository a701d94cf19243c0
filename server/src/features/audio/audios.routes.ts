import Type from 'typebox'
import { RawAnswer, apiKey, endpoint } from '../../infrastructure/http/endpoint.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import { bodyValidator } from '../../infrastructure/http/validation.js'
import { withTimes } from '../../infrastructure/resources/with-times.js'
import { audioResource } from './audio.resource.js'
import { AudioShape, CreateAudio, UploadAudio } from './audio.schema.js'
import type { AudioService } from './audio.service.js'

const { tag } = audioResource

/** 20 MB. */
const maxUploadBytes = 20 * 1024 * 1024

const checkUpload = bodyValidator(UploadAudio)

export function audioEndpoints({ audios }: { audios: AudioService }) {
  return [
    ...audioResource.endpoints(audios, withTimes, {
      create: endpoint({
        method: 'POST',
        path: '/audios',
        summary: 'Add an audio: a file, or speech rendered from text',
        description:
          'Send multipart/form-data with a `file` (WAV, MP3 or Ogg, 20 MB and ten minutes at most) and a `title`, or JSON with `title` and `text`.',
        tag,
        auth: apiKey('full'),
        tier: 'heavy',
        body: CreateAudio,
        upload: { field: 'file', maxBytes: maxUploadBytes },
        response: { 201: AudioShape },
        errors: { 403: 'The workspace holds as many audios as it may' },
        handler: async ({ workspace, body, file }) => {
          if (!file) return withTimes(await audios.speak(workspace, body))
          const fields: unknown = body
          checkUpload(fields)
          return withTimes(await audios.upload(workspace, file, fields as UploadAudio))
        },
      }),
    }),
    endpoint({
      method: 'GET',
      path: '/audios/:id/content',
      summary: 'Download an audio as WAV',
      tag,
      auth: apiKey('any'),
      params: idParams,
      response: { 200: Type.String({ format: 'binary', contentMediaType: 'audio/wav' }) },
      errors: { 404: 'No such audio' },
      handler: async ({ workspace, params }) => {
        const { stream, size } = await audios.content(workspace, params.id)
        return new RawAnswer('audio/wav', stream, { 'Content-Length': String(size) })
      },
    }),
  ]
}
