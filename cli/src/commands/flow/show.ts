import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/call-flows/{id}', {
  summary: 'Show a call flow',
  examples: ['flow show cf_01 --workspace acme'],
})
