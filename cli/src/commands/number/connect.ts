import { text } from '../../lib/fields.js'
import { createCommand } from '../../lib/resource-commands.js'

export default createCommand('/phone-numbers/connect', {
  summary: 'Connect a number of your own trunk',
  description: 'With --gateway the number may also call out. It is pending until it is activated.',
  examples: [
    'number connect --workspace acme --number 2025550199 --country US --title Main --acl acl_01 --gateway gw_01',
  ],
  fields: {
    number: text('number', '6 to 14 digits, without the country code', {
      ask: 'Number without its country code',
    }),
    country: text('country_code', 'two-letter country code', { ask: 'Country code', helpValue: '<US>' }),
    title: text('title', 'name that people read', { ask: 'Title' }),
    acl: text('inbound_acl_id', 'inbound ACL that guards it', { ask: 'Inbound ACL', helpValue: '<acl_…>' }),
    gateway: text('outbound_gateway_id', 'outbound gateway that it calls out with', { helpValue: '<gw_…>' }),
  },
  finish: (body) => ({ ...body, enable_outbound: 'outbound_gateway_id' in body }),
})
