import { showCommand } from '../../../lib/resource-commands.js'

export default showCommand('/sip-trunks/acls/{id}', {
  summary: 'Show an inbound ACL',
  examples: ['trunk acl show acl_01 --workspace acme'],
})
