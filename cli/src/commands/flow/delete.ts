import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/call-flows/{id}', {
  summary: 'Delete a call flow',
  examples: ['flow delete cf_01 --workspace acme --yes'],
})
