/** Audios, as the API has them. */
import { listQuery } from '../../infrastructure/http/lists.js'
import { resource } from '../../infrastructure/resources/resource.js'
import { Audio } from './audio.entity.js'
import { AudioShape, UpdateAudio } from './audio.schema.js'

/** To add one is an endpoint of its own, which takes a file or a text. */
export const audioResource = resource({
  ...{ path: '/audios', noun: 'audio', tag: 'Audios' },
  ...{ id: 'au', table: Audio, search: ['title'], guarded: 'audio' },
  shape: AudioShape,
  list: { query: listQuery({ limit: 10, sort: ['created_at', 'title'], search: 'Looks at the title' }) },
  show: {},
  update: { body: UpdateAudio, summary: 'Rename an audio' },
  delete: { errors: { 409: 'Something uses it' } },
})
