/** Tables that a workspace may have filled with many rows: they are emptied in batches before the workspace itself goes. */

export const removedTables = {
  /** Those that something is still done for come first. */
  first: [
    ...['message_queue', 'message_segments', 'webhook_queue', 'opt_outs', 'phone_numbers'],
    'device_registrations',
    ...['credit_entries', 'webhook_deliveries', 'messages', 'conversation_notes', 'conversations'],
  ],
  last: [
    ...[
      'message_settings',
      'contact_numbers',
      'contacts',
      'idempotency_keys',
      'alerts',
      'erasures',
      'audit_log',
    ],
    ...['instruction_responses', 'instruction_conversations'],
    ...['voice_agent_evaluation_results', 'voice_agent_evaluations', 'voice_agent_settings'],
    ...['call_flow_versions', 'kept_number_fees', 'called_countries', 'usage_days', 'rated_usage_days'],
  ],
} as const

/** They go with what people set up, and are no more than a few rows of each. */
export const goneWithSetUp: readonly string[] = [
  ...[
    'agent_sessions',
    'agent_known_devices',
    'agent_former_emails',
    'chosen_states',
    'agent_invitations',
    'operator_entries',
  ],
  ...[
    'team_members',
    'address_book_teams',
    'phone_number_teams',
    'number_carriers',
    'number_originators',
    'gateway_addresses',
    'gateway_pings',
  ],
  ...['call_flow_references', 'call_flow_drafts'],
]

/** Tables with files and calls, each with a step of its own. */
export const removedWithFiles = ['message_attachments', 'message_uploads', 'calls', 'recordings'] as const

/** Their rows end by themselves: a job removes what it is about, such as files, and then goes. */
export const endingByThemselves: readonly string[] = ['outbox', 'gateway_registrations']
