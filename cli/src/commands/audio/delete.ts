import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/audios/{id}', {
  summary: 'Delete an audio',
  examples: ['audio delete au_01 --workspace acme --yes'],
})
