/** Voice agents as the API shows them. */
import type { VoiceAgentDetail } from './voice-agent-detail.js'
import type { Tenant } from '../../infrastructure/http/endpoint.js'
import type { Offers } from '../ai-providers/catalogue.js'
import type { VoiceAgentSettings } from '../voice-agent-sessions/voice-agent-settings.entity.js'
import type { VoiceAgent } from './voice-agent.entity.js'

export function presentAgent(workspace: Tenant, agent: VoiceAgent) {
  return {
    id: agent.id,
    name: agent.name,
    workspace_id: agent.workspace_id,
    country_code: workspace.country_code,
    published_version: agent.published_version,
    created_at: agent.created_at.toISOString(),
    updated_at: agent.updated_at.toISOString(),
  }
}

function presentSettings(offers: Offers, settings: VoiceAgentSettings) {
  return {
    ...settings,
    provider: offers.providerOf(settings.model_id),
    created_at: settings.created_at.toISOString(),
    updated_at: settings.updated_at.toISOString(),
  }
}

export function presentDetail(offers: Offers, workspace: Tenant, { agent, settings }: VoiceAgentDetail) {
  return { ...presentAgent(workspace, agent), settings: presentSettings(offers, settings) }
}

export function presentVersion({ version, updated_at }: VoiceAgentSettings) {
  return { version, updated_at: updated_at.toISOString() }
}
