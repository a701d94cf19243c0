import { deleteCommand } from '../../../lib/resource-commands.js'

export default deleteCommand('/sip-trunks/acls/{id}', {
  summary: 'Delete an inbound ACL',
  examples: ['trunk acl delete acl_01 --workspace acme --yes'],
})
