import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/carriers/{id}', {
  summary: 'Show an SMS carrier',
  description: 'Secrets are not shown, only which ones are set.',
  examples: ['carrier show car_01'],
  host: 'operator',
})
