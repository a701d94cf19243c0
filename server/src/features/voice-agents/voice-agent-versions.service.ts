/** The versions of voice agents: settings, publishing, cloning and the removal of old ones. */
import type { VoiceAgentDetail } from './voice-agent-detail.js'
import type { EntityManager } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { type Owner, WorkspaceTable } from '../../infrastructure/database/workspace-table.js'
import { ValidationError, badRequest, invalidField, notFound } from '../../infrastructure/http/errors.js'
import type { Catalogue } from '../ai-providers/catalogue.js'
import { withVoiceAgent } from './voice-agent-lock.js'
import { VoiceAgentSettings } from '../voice-agent-sessions/voice-agent-settings.entity.js'
import { VoiceAgentTool } from './voice-agent-tool.entity.js'
import { VoiceAgent } from './voice-agent.entity.js'
import type { UpdateSettings } from './voice-agent.schema.js'

/** Contract, section Limits. */
const maxVersions = 20

/** More than a voice agent can have. */
const maxRows = 10_000

export const noVersion = (version: number) => notFound(`Version ${version} not found`)

export class VoiceAgentVersions {
  private readonly agents: WorkspaceTable<VoiceAgent>
  /** Without an audit entry: counting versions is not a change that a person made. */
  private readonly counters: WorkspaceTable<VoiceAgent>
  private readonly table: WorkspaceTable<VoiceAgentSettings>
  private readonly tools: WorkspaceTable<VoiceAgentTool>

  constructor(
    private readonly database: Database,
    private readonly catalogue: Catalogue,
  ) {
    this.agents = new WorkspaceTable(database, VoiceAgent, { audited: 'voice_agent' })
    this.counters = new WorkspaceTable(database, VoiceAgent)
    this.table = new WorkspaceTable(database, VoiceAgentSettings, { audited: 'voice_agent_settings' })
    this.tools = new WorkspaceTable(database, VoiceAgentTool)
  }

  /** All versions, newest first. */
  async list(workspace: Owner, agentId: string): Promise<VoiceAgentSettings[]> {
    return newestFirst(await this.table.findAll(workspace, { voice_agent_id: agentId }, maxRows))
  }

  /** The versions that a tool is enabled in, newest first. */
  async withTool(tx: EntityManager, { workspace_id, voice_agent_id, id }: VoiceAgentTool): Promise<number[]> {
    const rows = await this.table.in(tx).findAll({ id: workspace_id }, { voice_agent_id }, maxRows)
    return newestFirst(rows.filter(({ tools_id }) => tools_id.includes(id))).map(({ version }) => version)
  }

  /** One version, the latest by default; null if there is none. */
  async find(workspace: Owner, agentId: string, version?: number): Promise<VoiceAgentSettings | null> {
    if (version === undefined) return (await this.list(workspace, agentId))[0] ?? null
    return this.table.findBy(workspace, { voice_agent_id: agentId, version })
  }

  /** Version 1 of a new voice agent, with the contract's defaults. */
  async insertFirst(
    tx: EntityManager,
    agent: VoiceAgent,
    texts: Pick<VoiceAgentSettings, 'greeting_message' | 'instructions'>,
  ): Promise<VoiceAgentSettings> {
    return this.table.in(tx).insert({
      id: newId('vas'),
      workspace_id: agent.workspace_id,
      voice_agent_id: agent.id,
      version: 1,
      model_id: (await this.catalogue.offers(tx)).defaultModel,
      voice_id: null,
      ...texts,
      temperature: 0.8,
      enable_noise_reduction: true,
      ...{ turn_detection: null, turn_eagerness: null, turn_threshold: null, turn_silence_ms: null },
      ...{ interruption_ms: null, ignore_backchannels: true },
      ...{ language: null, enable_dtmf: true, tool_delay_message: null },
      max_call_duration_seconds: 180,
      tools_id: [],
      created_at: agent.created_at,
      updated_at: agent.updated_at,
    })
  }

  /** @throws 400 no such version, or a function that is no tool of this voice agent, 404 */
  async changeSettings(
    workspace: Owner,
    agentId: string,
    { version, functions, ...input }: UpdateSettings,
  ): Promise<VoiceAgentDetail> {
    return withVoiceAgent(this.database, workspace, agentId, async (tx, agent) => {
      const settings = await this.named(tx, agent, version)
      if (functions) await this.checkTools(tx, agent, functions)
      const changes = { ...input, ...(functions && { tools_id: functions }), updated_at: new Date() }
      await this.table.in(tx).update(workspace, settings.id, changes)
      return { agent, settings: { ...settings, ...changes } }
    })
  }

  /** @throws 400 no such version, 404 */
  async publish(workspace: Owner, agentId: string, version: number): Promise<VoiceAgentDetail> {
    return withVoiceAgent(this.database, workspace, agentId, async (tx, agent) => {
      const settings = await this.named(tx, agent, version)
      const changes = { published_version: version, updated_at: new Date() }
      await this.agents.in(tx).update(workspace, agentId, changes)
      return { agent: { ...agent, ...changes }, settings }
    })
  }

  /** Clones the published version and removes what is then too old. @throws 400 nothing published, 404 */
  async add(workspace: Owner, agentId: string): Promise<VoiceAgentSettings> {
    return withVoiceAgent(this.database, workspace, agentId, async (tx, agent) => {
      const versions = this.table.in(tx)
      const published = await this.publishedOf(tx, agent)
      if (!published) throw badRequest('No version is published: publish one first')
      const version = agent.last_version + 1
      const now = new Date()
      const made = { ...published, id: newId('vas'), version, created_at: now, updated_at: now }
      await versions.insert(made)
      await this.counters.in(tx).update(workspace, agentId, { last_version: version })
      await this.removeOld(tx, agent)
      return made
    })
  }

  /** @throws 400 when it is published, 404 */
  async remove(workspace: Owner, agentId: string, version: number): Promise<VoiceAgentSettings> {
    return withVoiceAgent(this.database, workspace, agentId, async (tx, agent) => {
      const settings = await this.table.in(tx).findBy(workspace, { voice_agent_id: agentId, version })
      if (!settings) throw noVersion(version)
      if (agent.published_version === version) {
        throw badRequest(`Version ${version} is the published one: publish another one first`)
      }
      await this.table.in(tx).delete(workspace, settings.id)
      return settings
    })
  }

  private async publishedOf(tx: EntityManager, agent: VoiceAgent): Promise<VoiceAgentSettings | null> {
    const { published_version: version } = agent
    if (version === null) return null
    return this.table.in(tx).findBy(ownerOf(agent), { voice_agent_id: agent.id, version })
  }

  /** The version that a body names. @throws 400 */
  private async named(tx: EntityManager, agent: VoiceAgent, version: number): Promise<VoiceAgentSettings> {
    const found = await this.table.in(tx).findBy(ownerOf(agent), { voice_agent_id: agent.id, version })
    if (!found) throw invalidField('version', `version ${version} is not a version of this voice agent`)
    return found
  }

  /** @throws 400 naming each id that is no tool of the voice agent */
  private async checkTools(tx: EntityManager, agent: VoiceAgent, ids: readonly string[]): Promise<void> {
    const tools = await this.tools.in(tx).findAll(ownerOf(agent), { voice_agent_id: agent.id }, maxRows)
    const known = new Set(tools.map(({ id }) => id))
    const problems = ids.flatMap((id, index) => {
      const field = `functions.${index}`
      return known.has(id) ? [] : [{ field, messages: [`${field} is not a tool of this voice agent`] }]
    })
    if (problems.length > 0) throw new ValidationError(problems)
  }

  /** Removes the oldest versions beyond those that are kept, but never the published one. */
  private async removeOld(tx: EntityManager, agent: VoiceAgent): Promise<void> {
    const versions = this.table.in(tx)
    const rows = newestFirst(await versions.findAll(ownerOf(agent), { voice_agent_id: agent.id }, maxRows))
    const removable = rows.filter(({ version }) => version !== agent.published_version)
    const excess = Math.max(0, rows.length - maxVersions)
    for (const { id } of removable.slice(removable.length - excess)) await versions.delete(ownerOf(agent), id)
  }
}

function newestFirst(versions: readonly VoiceAgentSettings[]): VoiceAgentSettings[] {
  return [...versions].sort((a, b) => b.version - a.version)
}

function ownerOf(agent: VoiceAgent): Owner {
  return { id: agent.workspace_id }
}
