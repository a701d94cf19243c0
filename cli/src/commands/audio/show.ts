import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/audios/{id}', {
  summary: 'Show an audio',
  examples: ['audio show au_01 --workspace acme'],
})
