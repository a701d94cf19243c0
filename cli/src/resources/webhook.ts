import { list, text, yesNo } from '../lib/fields.js'

export const webhookFields = {
  url: text('url', 'address that events are sent to', { ask: 'Address', helpValue: '<https://…>' }),
  events: list('events', 'events that are sent', { ask: 'Events, comma separated' }),
  title: text('title', 'name that people read'),
  active: yesNo('is_active', 'whether anything is sent'),
}
