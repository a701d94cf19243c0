import { choice, optionalList, optionalNumber, optionalText, text, yesNo } from '../../lib/fields.js'
import { setCommand } from '../../lib/resource-commands.js'
import { retentionFlags } from '../../resources/retention.js'

export default setCommand('/workspaces/{id}', {
  summary: 'Change a workspace and its limits',
  description: 'Limits apply to new calls.',
  examples: [
    'workspace set acme --max-calls 30 --max-calls-per-second 5',
    'workspace set acme --countries US,CA --no-recording',
    'workspace set acme --max-calls none --countries none',
    'workspace set acme --suspended',
  ],
  host: 'operator',
  fields: {
    title: text('title', 'name that people read'),
    country: text('country_code', 'two-letter country code', { helpValue: '<US>' }),
    suspended: yesNo('is_suspended', 'its people and keys are refused, and its calls do not begin'),
    'max-calls': optionalNumber('max_concurrent_calls', 'calls that may live at once'),
    'max-calls-per-second': optionalNumber('max_calls_per_second', 'calls that may begin in a second'),
    countries: optionalList('allowed_countries', 'countries whose numbers may be called'),
    'premium-rates': yesNo('allow_premium_rate', 'numbers that cost their callers more may be called'),
    'max-spend-per-hour': optionalNumber('max_spend_per_hour', 'USD that may be spent in an hour'),
    'max-spend-per-day': optionalNumber('max_spend_per_day', 'USD that may be spent in a day'),
    'rate-deck': optionalText('rate_deck_id', 'its own rates, before those of the default deck', {
      helpValue: '<rd_…>',
    }),
    recording: yesNo('call_recording', 'calls with the telephone network may be recorded'),
    'internal-recording': yesNo('call_internal_recording', 'calls among its own people may be recorded'),
    signing: yesNo('call_signing', 'its gateways may sign who calls (STIR/SHAKEN)'),
    'transfers-by': choice('transfers_by', 'which agents may hand over a call', ['any_agent', 'involved']),
    ...retentionFlags,
    'max-storage': optionalNumber('max_storage_mb', 'megabytes of files that it may keep'),
  },
})
