import { showCommand } from '../../../lib/resource-commands.js'

export default showCommand('/call-flows/{id}/versions/{version}', {
  summary: 'Show a version of a call flow',
  examples: ['flow version show cf_01 3 --workspace acme'],
  args: { id: 'id of the call flow', version: 'number of the version' },
})
