import { choice, optionalText, text, yesNo } from '../../lib/fields.js'
import { setCommand } from '../../lib/resource-commands.js'
import { readableProfile } from '../../resources/profile.js'
import { retentionFlags } from '../../resources/retention.js'

export default setCommand('/profile', {
  summary: 'Change a workspace’s title, country or settings',
  examples: [
    'profile set --workspace acme --title "Acme Inc."',
    'profile set --workspace acme --calls-kept 90 --messages-kept 90 --recordings-kept none',
  ],
  fields: {
    title: text('title', 'name that people read'),
    country: text('country_code', 'two-letter country code', { helpValue: '<US>' }),
    'leaders-only-own-teams': yesNo(
      'leaders_only_own_teams',
      'whether leaders and supervisors manage only teams that they are members of',
    ),
    'transfers-by': choice('transfers_by', 'which agents may hand over a call', ['any_agent', 'involved']),
    'agents-pause-recordings': yesNo(
      'agents_pause_recordings',
      'whether agents may pause the recording of the call that they are in',
    ),
    'emergency-gateway': optionalText(
      'emergency_gateway_id',
      'outbound gateway that emergency calls of phones try first',
      { helpValue: '<gw_…>' },
    ),
    ...retentionFlags,
  },
  readable: readableProfile,
})
