import { setCommand } from '../../lib/resource-commands.js'
import { pushCredentialFields } from '../../resources/push-credential.js'

export default setCommand('/push-credentials/{id}', {
  summary: 'Change a push credential; a new key works at once',
  examples: ['push-credential set pc_01 --workspace acme --ios-key-file AuthKey.p8 --ios-key-id ABCDE12345'],
  fields: pushCredentialFields,
})
