import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/carriers/{id}/status', {
  summary: 'Show how an SMS carrier is doing',
  examples: ['carrier status car_01'],
  host: 'operator',
})
