import { createCommand } from '../../../lib/resource-commands.js'
import { aclFields } from '../../../resources/acl.js'

export default createCommand('/sip-trunks/acls', {
  summary: 'Create an inbound ACL',
  examples: ['trunk acl create --workspace acme --title Carrier --allow 192.0.2.10,198.51.100.0/24'],
  fields: aclFields,
})
