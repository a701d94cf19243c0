/** Every column that holds sealed secrets, and what they are sealed for: each row's own, by its id. */

/** What secrets are sealed for. */
export const purposes = {
  apiKey: (sid: string) => `api_key:${sid}`,
  gateway: (id: string) => `gateway:${id}`,
  gatewayRegistration: (id: string) => `gateway_registration:${id}`,
  webhook: (id: string) => `webhook:${id}`,
  webhookHeaders: (id: string) => `webhook_headers:${id}`,
  previousWebhookSecret: (id: string) => `webhook_previous_secret:${id}`,
  voiceAgentTool: (id: string) => `voice_agent_tool:${id}`,
  pushCredential: (id: string) => `push_credential:${id}`,
  signingSecret: (workspaceId: string) => `signing-secret:${workspaceId}`,
  carrier: (id: string) => `carrier:${id}`,
  aiProvider: (id: string) => `ai_provider:${id}`,
  aiProviderKey: (id: string) => `ai_provider_key:${id}`,
  callStream: (id: string) => `call_stream:${id}`,
} as const

export interface SealedColumn {
  readonly table: string
  /** Column of the primary key. */
  readonly id: string
  readonly column: string
  readonly purpose: (id: string) => string
}

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'api_keys', id: 'sid', column: 'secret', purpose: purposes.apiKey },
  { table: 'outbound_gateways', id: 'id', column: 'credential_password', purpose: purposes.gateway },
  { table: 'gateway_registrations', id: 'id', column: 'password', purpose: purposes.gatewayRegistration },
  { table: 'webhooks', id: 'id', column: 'secret', purpose: purposes.webhook },
  { table: 'webhooks', id: 'id', column: 'headers', purpose: purposes.webhookHeaders },
  { table: 'webhooks', id: 'id', column: 'previous_secret', purpose: purposes.previousWebhookSecret },
  { table: 'voice_agent_tools', id: 'id', column: 'webhook_headers', purpose: purposes.voiceAgentTool },
  { table: 'push_credentials', id: 'id', column: 'private_key', purpose: purposes.pushCredential },
  { table: 'signing_secrets', id: 'workspace_id', column: 'secret', purpose: purposes.signingSecret },
  { table: 'carriers', id: 'id', column: 'secrets', purpose: purposes.carrier },
  { table: 'ai_providers', id: 'id', column: 'secrets', purpose: purposes.aiProvider },
  { table: 'ai_provider_keys', id: 'id', column: 'api_key', purpose: purposes.aiProviderKey },
  { table: 'call_streams', id: 'id', column: 'settings', purpose: purposes.callStream },
]
