import { setCommand } from '../../lib/resource-commands.js'
import { extensionFields, readableExtension, withDestination } from '../../resources/extension.js'

export default setCommand('/extensions/{id}', {
  summary: 'Change an extension',
  examples: ['extension set ex_01 --workspace acme --sip-account si_01'],
  fields: extensionFields,
  finish: withDestination,
  readable: readableExtension,
})
