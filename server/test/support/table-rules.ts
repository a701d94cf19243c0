/**
 * Retention of every table. A test walks the database's tables and fails for one that is not named here: a new table needs
 * a rule for when its rows are deleted.
 */
import { registered } from '../../src/app/registered-resources.js'
import { tablesOfCalls } from '../../src/features/retention/call-removal.js'
import { pluralOf } from '../../src/infrastructure/resources/resource-endpoints.js'
import type { RetentionKind } from '../../src/features/workspaces/retention-policy.js'

/**
 * `aged`: rows go when they are older than the workspace keeps that kind. `with`: they go with the row of another table
 * that they belong to. `swept`: they go by a rule of their own. `kept`: they stay until their workspace or the operator
 * deletes them, and their number is bounded by something that people set up.
 */
export type TableRule =
  | { readonly aged: RetentionKind }
  | { readonly with: string }
  | { readonly swept: string }
  | { readonly kept: string }

const setUp = (what: string): TableRule => ({ kept: `${what}, which people set up and delete` })

const partsOfCalls = Object.fromEntries(tablesOfCalls.map((table) => [table, { with: 'calls' }])) as Record<
  (typeof tablesOfCalls)[number],
  TableRule
>

const registeredRules = Object.fromEntries(
  Object.entries(registered).map(([table, { resource }]) => [table, setUp(pluralOf(resource))]),
)

export const tableRules: Readonly<Record<string, TableRule>> = {
  calls: { aged: 'calls' },
  ...partsOfCalls,
  recordings: { aged: 'recordings' },
  messages: { aged: 'messages' },
  message_attachments: { with: 'messages' },
  message_segments: { with: 'messages' },
  message_queue: { with: 'messages' },
  conversations: { aged: 'messages' },
  conversation_notes: { with: 'conversations' },
  credit_entries: { aged: 'ledger' },
  usage_days: { aged: 'ledger' },
  rated_usage_days: { aged: 'ledger' },
  webhook_deliveries: { aged: 'webhook_deliveries' },
  webhook_queue: { swept: 'a delivery leaves it when it is delivered, or given up after webhooks.retry_for' },
  audit_log: { aged: 'audit_log' },
  erasures: { aged: 'audit_log' },

  alerts: { swept: '90 days' },
  idempotency_keys: { swept: '24 hours' },
  outbox: { swept: 'a job goes when it is done' },
  sip_capture_removals: { swept: 'when the captures of that time are gone, too' },
  sweep_leases: { swept: 'a lease goes at the end of its sweep' },
  agent_sessions: { swept: 'when the refresh token ends, 30 days after its last use' },
  agent_known_devices: { swept: 'when the device has not been used for long, and all but the last ones' },
  agent_invitations: { swept: 'a day after the link was made, or when it is used' },
  operator_entries: { swept: 'an hour after the operator has entered' },
  agent_former_emails: { swept: 'a day after the change' },
  device_registrations: { swept: '270 days after the app was last seen' },
  agent_claims: { swept: 'a claim goes when its call ends' },
  message_uploads: { swept: 'a day after the upload, unless a message has taken it' },
  unmatched_receipts: { swept: 'receipts without a message go within days' },
  inbound_segments: { swept: 'parts of texts go when no carrier repeats them any more' },
  call_flow_versions: { swept: 'the last 50 of each flow are kept, and those of live calls' },
  voice_agent_settings: { swept: 'the last 20 versions of each voice agent are kept' },
  voice_agent_evaluations: { swept: 'the last ones of each voice agent are kept' },
  voice_agent_evaluation_results: { with: 'voice_agent_evaluations' },
  instruction_conversations: { swept: 'when they have not been used for days, and all but the last ones' },
  instruction_responses: { with: 'instruction_conversations' },
  location: { swept: 'Kamailio removes registrations that have expired' },
  gateway_pings: { swept: 'pings that were not asked for in ten minutes' },
  gateway_addresses: { swept: 'addresses that DNS no longer returns' },
  gateway_registrations: { swept: 'a registration goes when it has been taken back at the carrier' },
  inbound_acl_addresses: { with: 'inbound_acls' },
  inbound_acl_hosts: { with: 'inbound_acls' },
  rates: { with: 'rate_decks' },
  platform_states: { swept: 'when the time that the operator set is over' },
  chosen_states: { with: 'agents' },
  carrier_leases: { with: 'carriers' },
  contact_numbers: { with: 'contacts' },
  address_book_teams: { with: 'address_books' },
  call_flow_drafts: { with: 'call_flows' },
  call_flow_references: { with: 'call_flows' },
  phone_number_teams: { with: 'phone_numbers' },
  number_verifications: { with: 'phone_numbers' },
  number_code_counts: { swept: 'counts of codes that were sent go when their period is over' },
  number_carriers: { with: 'phone_numbers' },
  number_originators: { with: 'phone_numbers' },
  team_members: { with: 'teams' },

  ...registeredRules,
  workspaces: setUp('workspaces'),
  api_keys: setUp('API keys'),
  agents: setUp('agents'),
  teams: setUp('teams'),
  phone_numbers: setUp('numbers'),
  sip_accounts: setUp('SIP accounts'),
  extensions: setUp('extensions'),
  inbound_acls: setUp('ACLs'),
  outbound_gateways: setUp('gateways'),
  audios: setUp('audios'),
  call_flows: setUp('call flows'),
  contacts: setUp('contacts'),
  address_books: setUp('address books'),
  webhooks: setUp('webhooks'),
  signing_secrets: setUp('one secret of each workspace'),
  push_credentials: setUp('push credentials'),
  voice_agents: setUp('voice agents'),
  voice_agent_tools: setUp('tools'),
  voice_agent_evaluation_scripts: setUp('scripts'),
  ai_providers: setUp('providers'),
  ai_provider_keys: setUp('keys of providers'),
  carriers: setUp('carriers'),
  message_settings: setUp('settings of messages'),
  rate_decks: setUp('rate decks'),
  cells: setUp('cells'),
  opt_outs: { kept: 'a client who does not want texts is never written to again, whatever else is deleted' },
  credit_balances: { kept: 'one row of each workspace' },
  row_counts: { kept: 'one row of each limited kind of a workspace' },
  live_call_counts: { kept: 'one row of each workspace' },
  kept_bytes: { kept: 'one row of each workspace' },
  called_countries: { kept: 'one row of each workspace and country' },
  kept_number_fees: { kept: 'one row of each number that a workspace has had; no personal data' },
  migrations: { kept: 'the history of the tables themselves' },
  version: { kept: 'what Kamailio asks of its tables' },
}
