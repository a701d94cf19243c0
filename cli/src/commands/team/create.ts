import { text } from '../../lib/fields.js'
import { createCommand } from '../../lib/resource-commands.js'

export default createCommand('/teams', {
  summary: 'Create a team',
  examples: ['team create --workspace acme --name Sales'],
  fields: { name: text('name', 'name that people read', { ask: 'Name' }) },
})
