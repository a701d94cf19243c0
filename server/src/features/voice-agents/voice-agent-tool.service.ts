/** The tools of voice agents: those built in, and requests to the customer's server. */
import type { EntityManager } from 'typeorm'
import { type Database, isDuplicate } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { openedHeaders, sealedHeaders } from '../../infrastructure/database/sealed-headers.js'
import type { SecretBox } from '../../infrastructure/database/secrets.js'
import type { GuardedClient } from '../../infrastructure/http-client/guarded-client.js'
import { type Owner, WorkspaceTable } from '../../infrastructure/database/workspace-table.js'
import { purposes } from '../../infrastructure/database/sealed-columns.js'
import { checkHeaders, withCredentials, withoutCredentials } from '../../infrastructure/http/header-fields.js'
import {
  ValidationError,
  badRequest,
  conflict,
  forbidden,
  notFound,
} from '../../infrastructure/http/errors.js'
import { storedHeaders, storedUrl } from '../../infrastructure/http/masked-secrets.js'
import { builtinTools } from './builtin-tools.js'
import { checkWebhookUrl, parametersOf } from './tool-rules.js'
import { withVoiceAgent } from './voice-agent-lock.js'
import { VoiceAgentTool } from './voice-agent-tool.entity.js'
import type { CreateTool, UpdateTool } from './voice-agent-tool.schema.js'
import type { VoiceAgentVersions } from './voice-agent-versions.service.js'
import type { VoiceAgent } from './voice-agent.entity.js'

/** What the API calls them. */
const places = { url: 'webhook_url', headers: 'webhook_headers' } as const

/** More than a voice agent can have. */
const maxRows = 1_000

export class VoiceAgentTools {
  private readonly table: WorkspaceTable<VoiceAgentTool>

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly versions: VoiceAgentVersions,
    private readonly client: Pick<GuardedClient, 'brokenRule'>,
    private readonly limit: number,
  ) {
    this.table = new WorkspaceTable(database, VoiceAgentTool, {
      audited: 'voice_agent_tool',
      hidden: ['webhook_headers'],
    })
  }

  /** All tools of a voice agent: what is built in, then the others in the order of their making. */
  async list(workspace: Owner, agentId: string): Promise<VoiceAgentTool[]> {
    return this.table.findAll(workspace, { voice_agent_id: agentId }, maxRows)
  }

  /** @throws 404 */
  async get(workspace: Owner, agentId: string, id: string): Promise<VoiceAgentTool> {
    return this.of(this.table, workspace, agentId, id)
  }

  /** Gives a new voice agent the tools that every one has. */
  async insertBuiltin(tx: EntityManager, agent: VoiceAgent): Promise<void> {
    // Part of making the voice agent, which is one entry in the audit log.
    const table = new WorkspaceTable(this.database, VoiceAgentTool).in(tx)
    for (const tool of builtinTools) {
      await table.insert({
        id: newId('vat'),
        workspace_id: agent.workspace_id,
        voice_agent_id: agent.id,
        ...tool,
        tool_type: 'builtin',
        webhook_url: null,
        webhook_method: 'POST',
        webhook_headers: null,
        is_active: true,
        created_at: agent.created_at,
        updated_at: agent.updated_at,
      })
    }
  }

  /** Adds a custom tool. @throws 400, 403 at the limit, 404 unknown voice agent, 409 the name is taken */
  async create(workspace: Owner, agentId: string, input: CreateTool): Promise<VoiceAgentTool> {
    const { url: webhook_url, headers: webhook_headers } = withCredentials(
      places,
      storedUrl('webhook_url', input.webhook_url, null),
      storedHeaders('webhook_headers', input.webhook_headers ?? {}, {}),
    )
    checkWebhookUrl(webhook_url, this.client)
    checkHeaders('webhook_headers', webhook_headers)
    const now = new Date()
    const id = newId('vat')
    const tool: VoiceAgentTool = {
      id,
      workspace_id: workspace.id,
      voice_agent_id: agentId,
      name: input.name,
      description: input.description,
      tool_type: 'custom',
      webhook_url,
      webhook_method: input.webhook_method ?? 'POST',
      webhook_headers: this.sealed(id, webhook_headers),
      ...parametersOf(input),
      is_active: input.is_active ?? true,
      created_at: now,
      updated_at: now,
    }
    return withVoiceAgent(this.database, workspace, agentId, async (tx) => {
      const tools = await this.table.in(tx).findAll(workspace, { voice_agent_id: agentId }, maxRows)
      if (tools.length - builtinTools.length >= this.limit) {
        throw forbidden(`The voice agent has ${this.limit} tools of its own already`)
      }
      await named(input.name, async () => this.table.in(tx).insert(tool))
      return tool
    })
  }

  /** @throws 400, among others for anything but `is_active` of what is built in, 404, 409 the name is taken */
  async update(workspace: Owner, agentId: string, id: string, input: UpdateTool): Promise<VoiceAgentTool> {
    return withVoiceAgent(this.database, workspace, agentId, async (tx) => {
      const tool = await this.of(this.table.in(tx), workspace, agentId, id)
      const changes = { ...this.changesOf(tool, input), updated_at: new Date() }
      await named(input.name ?? tool.name, async () => this.table.in(tx).update(workspace, id, changes))
      return { ...tool, ...changes }
    })
  }

  /** @throws 400 for what is built in, 404, 409 while a version has it enabled */
  async delete(workspace: Owner, agentId: string, id: string): Promise<VoiceAgentTool> {
    return withVoiceAgent(this.database, workspace, agentId, async (tx) => {
      const tool = await this.of(this.table.in(tx), workspace, agentId, id)
      if (tool.tool_type === 'builtin') {
        throw badRequest(`${tool.name} is built in and cannot be deleted: set is_active to false`)
      }
      const versions = await this.versions.withTool(tx, tool)
      if (versions.length > 0) {
        const users = versions.map((version) => `version ${version}`).join(', ')
        throw conflict(`The tool ${tool.name} is used by ${users}`)
      }
      await this.table.in(tx).delete(workspace, id)
      return tool
    })
  }

  /** The headers in clear. */
  headersOf({ id, webhook_headers: sealed }: VoiceAgentTool): Record<string, string> {
    return openedHeaders(this.secrets, sealed, purposes.voiceAgentTool(id))
  }

  private changesOf(tool: VoiceAgentTool, input: UpdateTool): Partial<VoiceAgentTool> {
    if (tool.tool_type === 'builtin') {
      const fixed = Object.keys(input).filter((field) => field !== 'is_active')
      const problems = fixed.map((field) => ({ field, messages: [`${field} of a built-in tool is fixed`] }))
      if (problems.length > 0) throw new ValidationError(problems)
    }
    const { webhook_headers, webhook_url, parameters, required_params, ...plain } = input
    const stored = this.headersOf(tool)
    const given = webhook_headers && storedHeaders('webhook_headers', webhook_headers, stored)
    const kept =
      webhook_url === undefined ? undefined : storedUrl('webhook_url', webhook_url, tool.webhook_url)
    // Credentials of a new URL take the place of those that were there.
    const moved =
      kept === undefined ? undefined : withCredentials(places, kept, given ?? withoutCredentials(stored))
    const url = moved?.url
    const headers = moved && moved.url !== kept ? moved.headers : given
    if (url !== undefined) checkWebhookUrl(url, this.client)
    if (headers) checkHeaders('webhook_headers', headers)
    return {
      ...plain,
      ...(url !== undefined && { webhook_url: url }),
      ...(headers && { webhook_headers: this.sealed(tool.id, headers) }),
      ...((parameters ?? required_params) && parametersOf(input, tool)),
    }
  }

  private async of(
    table: WorkspaceTable<VoiceAgentTool>,
    workspace: Owner,
    agentId: string,
    id: string,
  ): Promise<VoiceAgentTool> {
    const tool = await table.findBy(workspace, { id, voice_agent_id: agentId })
    if (!tool) throw notFound('Tool not found')
    return tool
  }

  private sealed(id: string, headers: Record<string, string>): string | null {
    return sealedHeaders(this.secrets, headers, purposes.voiceAgentTool(id))
  }
}

/** Writes a tool's row. @throws 409 when the voice agent has another tool of this name */
async function named<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw isDuplicate(error) ? conflict(`The voice agent has a tool ${name} already`) : error
  }
}
