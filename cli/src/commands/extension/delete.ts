import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/extensions/{id}', {
  summary: 'Delete an extension',
  examples: ['extension delete ex_01 --workspace acme --yes'],
})
