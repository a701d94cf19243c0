/** Voice agents. Their versions are `voice-agent-versions.service.ts`, their tools `voice-agent-tool.service.ts`. */
import type { VoiceAgentDetail } from './voice-agent-detail.js'
import type { Database } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { Tenant } from '../../infrastructure/http/endpoint.js'
import { ResourceRows } from '../../infrastructure/resources/resource-rows.js'
import type { InstructionService } from './instructions/instructions.service.js'
import type { VoiceAgent } from './voice-agent.entity.js'
import { voiceAgentResource } from './voice-agent.resource.js'
import type { CreateVoiceAgent, UpdateVoiceAgent } from './voice-agent.schema.js'
import type { VoiceAgentTools } from './voice-agent-tool.service.js'
import { noVoiceAgent } from './voice-agent-lock.js'
import { type VoiceAgentVersions, noVersion } from './voice-agent-versions.service.js'

/** Contract, section Limits. */
export const maxVoiceAgents = 30

export class VoiceAgentService extends ResourceRows<VoiceAgent> {
  constructor(
    database: Database,
    private readonly versions: VoiceAgentVersions,
    private readonly tools: VoiceAgentTools,
    private readonly instructions: Pick<InstructionService, 'check'>,
  ) {
    super(voiceAgentResource, { database, max: maxVoiceAgents })
  }

  /** With one version's settings, the latest by default. @throws 404 unknown voice agent or version */
  async detail(workspace: Owner, id: string, version?: number): Promise<VoiceAgentDetail> {
    const agent = await this.get(workspace, id)
    const settings = await this.versions.find(workspace, id, version)
    if (!settings) throw version === undefined ? noVoiceAgent() : noVersion(version)
    return { agent, settings }
  }

  /**
   * Creates a voice agent; its version 1 is published.
   * @throws 400 the conversation or the response is not one of the workspace, 403 at 30 voice agents
   */
  async create(workspace: Tenant, input: CreateVoiceAgent): Promise<VoiceAgentDetail> {
    await this.instructions.check(workspace, input)
    const now = new Date()
    const agent: VoiceAgent = {
      id: newId('va'),
      workspace_id: workspace.id,
      name: input.name,
      published_version: 1,
      last_version: 1,
      conversation: input.conversation ?? null,
      response_id: input.response_id ?? null,
      created_at: now,
      updated_at: now,
    }
    return this.database.transaction(async (tx) => {
      await this.table.in(tx).insert(agent)
      await this.tools.insertBuiltin(tx, agent)
      const settings = await this.versions.insertFirst(tx, agent, {
        greeting_message: `Hello, this is ${input.name} of ${workspace.title}. How can I help you?`,
        instructions: input.instructions,
      })
      await this.checkLimit(tx, workspace)
      return { agent, settings }
    })
  }

  /** @throws 404 */
  async update(workspace: Owner, id: string, input: UpdateVoiceAgent): Promise<VoiceAgentDetail> {
    const { agent, settings } = await this.detail(workspace, id)
    const changed = { ...agent, ...input, updated_at: new Date() }
    await this.table.update(workspace, id, { ...input, updated_at: changed.updated_at })
    return { agent: changed, settings }
  }

  protected override unknown() {
    return noVoiceAgent()
  }
}
