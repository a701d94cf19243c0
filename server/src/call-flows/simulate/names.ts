/** What flows name, as people call it. */
import type { AgentService } from '../../agents/agent.service.js'
import type { Owner } from '../../database/workspace-table.js'
import type { ExtensionService } from '../../extensions/extension.service.js'
import { ApiError } from '../../http/errors.js'
import type { AudioService } from '../../media/audio.service.js'
import type { OutboundGatewayService } from '../../sip-trunks/outbound-gateway.service.js'
import type { TeamService } from '../../teams/team.service.js'
import type { VoiceAgentService } from '../../voice-agents/voice-agent.service.js'
import type { Reference } from '../references.js'

interface Parts {
  agents: AgentService
  audios: AudioService
  extensions: ExtensionService
  outboundGateways: OutboundGatewayService
  teams: TeamService
  voiceAgents: VoiceAgentService
}

export class FlowNames {
  constructor(private readonly parts: Parts) {}

  /** Null when it is no longer there, or its value is what people call it. */
  async nameOf(workspace: Owner, { kind, value: id }: Reference): Promise<string | null> {
    const { agents, audios, extensions, outboundGateways, teams, voiceAgents } = this.parts
    switch (kind) {
      case 'agent':
        return named(agents.get(workspace, id), ({ display_name }) => display_name)
      case 'audio':
        return named(audios.get(workspace, id), ({ title }) => title)
      case 'extension':
        return named(extensions.get(workspace, id), ({ title }) => title)
      case 'outbound_gateway':
        return named(outboundGateways.get(workspace, id), ({ title }) => title)
      case 'team':
        return named(teams.get(workspace, id), ({ title }) => title)
      case 'voice_agent':
        return named(voiceAgents.get(workspace, id), ({ name }) => name)
      case 'phone_number':
        return null
    }
  }
}

const gone = 404

async function named<T>(found: Promise<T>, name: (one: T) => string): Promise<string | null> {
  try {
    return name(await found)
  } catch (error) {
    if (error instanceof ApiError && error.status === gone) return null
    throw error
  }
}
