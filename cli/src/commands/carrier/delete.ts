import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/carriers/{id}', {
  summary: 'Delete an SMS carrier that no number uses',
  examples: ['carrier delete car_01 --yes'],
  host: 'operator',
})
