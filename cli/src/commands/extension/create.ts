import { createCommand } from '../../lib/resource-commands.js'
import { extensionFields, readableExtension, withNeededDestination } from '../../resources/extension.js'

export default createCommand('/extensions', {
  summary: 'Create an extension: a short number within the workspace',
  examples: [
    'extension create --workspace acme --number 100 --title Sales --team te_01',
    'extension create --workspace acme --number 101 --title Anna --agent ag_01',
  ],
  fields: extensionFields,
  finish: withNeededDestination,
  readable: readableExtension,
})
