import { setCommand } from '../../../lib/resource-commands.js'
import { aclFields } from '../../../resources/acl.js'

export default setCommand('/sip-trunks/acls/{id}', {
  summary: 'Change an inbound ACL',
  examples: ['trunk acl set acl_01 --workspace acme --allow 192.0.2.11'],
  fields: aclFields,
})
