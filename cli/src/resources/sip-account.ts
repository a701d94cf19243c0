import { optionalNumber, optionalText, text } from '../lib/fields.js'

export const sipAccountFields = {
  title: text('title', 'name that people read', { ask: 'Title' }),
  'caller-id': optionalText(
    'outbound_caller_id',
    'number of the workspace that its outside calls show; without one it makes none',
    { helpValue: '<number>' },
  ),
  'max-calls': optionalNumber('max_concurrent_calls', 'calls that its phones may make at once'),
}
