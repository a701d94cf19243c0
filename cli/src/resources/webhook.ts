import { list, number, pairs, text, yesNo } from '../lib/fields.js'

export const webhookFields = {
  url: text('url', 'address that events are sent to', { ask: 'Address', helpValue: '<https://…>' }),
  events: list('events', 'events that are sent', { ask: 'Events, comma separated' }),
  title: text('title', 'name that people read'),
  header: pairs('headers', 'header of each delivery, such as Authorization=Bearer …'),
  active: yesNo('is_active', 'whether anything is sent'),
}

export const secretField = {
  secret: text('secret', 'whsec_ and 24 to 64 bytes in base64; made by the server without one', {
    helpValue: '<whsec_…>',
  }),
}

export const rotationFields = {
  ...secretField,
  'previous-valid-for': number(
    'previous_valid_for',
    'seconds for which the old secret signs too; a day without',
    {
      helpValue: '<seconds>',
    },
  ),
}
