import { text } from '../../lib/fields.js'
import { setCommand } from '../../lib/resource-commands.js'

export default setCommand('/audios/{id}', {
  summary: 'Change an audio’s title',
  examples: ['audio set au_01 --workspace acme --title Welcome'],
  fields: { title: text('title', 'name that people read') },
})
