import { text } from '../../lib/fields.js'
import { setCommand } from '../../lib/resource-commands.js'

export default setCommand('/teams/{id}', {
  summary: 'Rename a team',
  examples: ['team set te_01 --workspace acme --name Support'],
  fields: { name: text('name', 'name that people read') },
})
