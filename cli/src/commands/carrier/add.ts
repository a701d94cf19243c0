import { choice } from '../../lib/fields.js'
import { createCommand } from '../../lib/resource-commands.js'
import { carrierFields, kindNames, usualKind } from '../../resources/carrier.js'

export default createCommand('/carriers', {
  summary: 'Connect an SMS carrier',
  examples: [
    'carrier add --title "Blue SMSC" --host smsc.example.com --port 3550 --tls --system-id acme --password-file smsc-password',
    'carrier add --title "Green SMS" --kind http --url https://api.example.com/messages --settings-file green.json --headers-file green-headers.json',
  ],
  host: 'operator',
  fields: {
    kind: choice('kind', `what it speaks; without it ${usualKind}`, kindNames, { otherwise: usualKind }),
    ...carrierFields,
  },
})
