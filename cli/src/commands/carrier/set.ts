import { setCommand } from '../../lib/resource-commands.js'
import { carrierFields } from '../../resources/carrier.js'

export default setCommand('/carriers/{id}', {
  summary: 'Change an SMS carrier and reconnect it',
  description: 'Messages waiting for a carrier that becomes inactive go to the next carrier of their number.',
  examples: [
    'carrier set car_01 --throughput 50 --window 20',
    'carrier set car_01 --no-active',
    'carrier set car_01 --password-file new-password',
  ],
  host: 'operator',
  fields: carrierFields,
})
