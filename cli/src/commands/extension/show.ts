import { showCommand } from '../../lib/resource-commands.js'
import { readableExtension } from '../../resources/extension.js'

export default showCommand('/extensions/{id}', {
  summary: 'Show an extension',
  examples: ['extension show ex_01 --workspace acme'],
  readable: readableExtension,
})
