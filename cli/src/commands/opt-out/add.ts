import { text } from '../../lib/fields.js'
import { createCommand } from '../../lib/resource-commands.js'

export default createCommand('/opt-outs', {
  summary: 'Opt a client out of the messages of a number',
  description:
    'For lists that are brought over from elsewhere: clients opt out by STOP, and in again by START.',
  examples: ['opt-out add --workspace acme --number pn_01 --client +12025550199'],
  fields: {
    number: text('phone_number_id', 'number that sends no more to the client', {
      ask: 'Number',
      helpValue: '<pn_…>',
    }),
    client: text('client_number', 'the client’s number in E.164', { ask: 'Number of the client' }),
  },
})
