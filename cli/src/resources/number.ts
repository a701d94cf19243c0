import { choice, list, number, optionalText, text, yesNo } from '../lib/fields.js'

const operator = { helpGroup: 'OPERATOR' }

/** Fields of a number that its workspace sets. */
export const numberFields = {
  title: text('title', 'name that people read'),
  acl: text('inbound_acl_id', 'inbound ACL that guards it', { helpValue: '<acl_…>' }),
  gateway: optionalText('outbound_gateway_id', 'outbound gateway that it calls out with', {
    helpValue: '<gw_…>',
  }),
  flow: optionalText('call_flow_id', 'call flow that its calls run', { helpValue: '<cf_…>' }),
  teams: list('shared_teams_id', 'teams that share it; all agents without', { helpValue: '<te_…,te_…>' }),
  outbound: yesNo('enable_outbound', 'whether it may call out'),
  'record-outbound': yesNo('record_outbound', 'whether its outbound calls are recorded'),
}

/** Fields that only the operator sets. */
export const operatorNumberFields = {
  status: choice('status', 'whether calls may use it', ['pending', 'active', 'inactive'], operator),
  capabilities: list('capabilities', 'voice; sms where it has SMS carriers', operator),
  verified: yesNo(
    'is_verified',
    'whether it may be shown to others: as caller id and as the sender of texts',
    operator,
  ),
  'fee-per-minute': number('fee_per_mins_call', 'USD a minute of calls', operator),
  'fee-per-segment': number('fee_per_segment', 'USD for each segment of a text', operator),
  'fee-per-mms': number('fee_per_mms', 'USD for each message with files', operator),
  'fee-per-month': number('fee_per_month', 'USD a month', operator),
}
