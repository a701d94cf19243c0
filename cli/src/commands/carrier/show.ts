import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/carriers/{id}', {
  summary: 'Show an SMS carrier',
  description: 'Of secrets it tells which are there.',
  examples: ['carrier show car_01'],
  host: 'operator',
})
