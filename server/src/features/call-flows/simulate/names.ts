/** The names of the objects to which flows refer. */
import type { AgentService } from '../../agents/agent.service.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { ExtensionService } from '../../extensions/extension.service.js'
import { ApiError } from '../../../infrastructure/http/errors.js'
import type { AudioService } from '../../audio/audio.service.js'
import type { OutboundGatewayService } from '../../sip-trunks/outbound-gateway.service.js'
import type { TeamService } from '../../teams/team.service.js'
import type { VoiceAgentService } from '../../voice-agents/voice-agent.service.js'
import type { FlowNodeInput } from '../call-flow.schema.js'
import { nodeTypes } from '../nodes/index.js'
import { type Reference, referencesIn } from '../references.js'

interface Parts {
  agents: AgentService
  audios: AudioService
  extensions: ExtensionService
  outboundGateways: OutboundGatewayService
  teams: TeamService
  voiceAgents: VoiceAgentService
}

/** Objects of one flow that are looked up: each takes a query or two. */
const maxNames = 100

export class FlowNames {
  constructor(private readonly parts: Parts) {}

  /** Names of the objects of nodes, by node id and parameter: `{sales: {team_id: 'Sales'}}`. */
  async ofNodes(
    workspace: Owner,
    nodes: readonly FlowNodeInput[],
  ): Promise<Record<string, Record<string, string>>> {
    const known = new Map<string, string | null>()
    const names = new Map<string, Record<string, string>>()
    for (const { id, type, params } of nodes) {
      const schema = nodeTypes.get(type)?.params
      for (const reference of schema ? referencesIn(schema, params, '') : []) {
        const key = `${reference.kind} ${reference.value}`
        if (!known.has(key) && known.size < maxNames) {
          known.set(key, await this.nameOf(workspace, reference))
        }
        const name = known.get(key)
        if (name) names.set(id, { ...names.get(id), [reference.field.slice(1)]: name })
      }
    }
    return Object.fromEntries(names)
  }

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
