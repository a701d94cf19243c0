import { setCommand } from '../../lib/resource-commands.js'
import { carrierFields } from '../../resources/carrier.js'

export default setCommand('/carriers/{id}', {
  summary: 'Change an SMS carrier; its link begins anew',
  description: 'What waits for a carrier that is made inactive goes to the next carrier of its number.',
  examples: [
    'carrier set car_01 --throughput 50 --window 20',
    'carrier set car_01 --no-active',
    'carrier set car_01 --password-file new-password',
  ],
  host: 'operator',
  fields: carrierFields,
})
