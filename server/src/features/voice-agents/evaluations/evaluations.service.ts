/** Evaluations of voice agents: written callers are played to a version, and judged by rules. */
import { In } from 'typeorm'
import type { Database } from '../../../infrastructure/database/database.js'
import { newId } from '../../../infrastructure/database/ids.js'
import { addJob } from '../../../infrastructure/database/outbox.js'
import { type Owner, WorkspaceTable } from '../../../infrastructure/database/workspace-table.js'
import {
  ValidationError,
  badRequest,
  conflict,
  invalidField,
  notFound,
} from '../../../infrastructure/http/errors.js'
import type { Page } from '../../../infrastructure/http/lists.js'
import { lockWorkspace } from '../../../infrastructure/resources/workspace-lock.js'
import { withVoiceAgent } from '../voice-agent-lock.js'
import type { VoiceAgentTools } from '../voice-agent-tool.service.js'
import type { VoiceAgentVersions } from '../voice-agent-versions.service.js'
import { EvaluationResult } from './evaluation-result.entity.js'
import { type EvaluationPayload, type EvaluationRunner, evaluationJob } from './evaluation-runner.js'
import type { EvaluationScripts } from './evaluation-scripts.service.js'
import { Evaluation, type PlayedScript } from './evaluation.entity.js'
import type { StartEvaluation } from './evaluations.schema.js'
import { problemsOf, scriptOf } from './script.js'
import { settingsHash } from './settings-hash.js'

interface Parts {
  readonly database: Database
  readonly versions: VoiceAgentVersions
  readonly tools: VoiceAgentTools
  readonly scripts: EvaluationScripts
  readonly runner: EvaluationRunner
}

/** An evaluation without what is long in it, and whether the version is still what was evaluated. */
export type EvaluationSummary = Omit<Evaluation, 'settings' | 'scripts'> & { is_stale: boolean }

/** Evaluations of a workspace that run at once. */
const maxRunning = 5
/** Evaluations of a voice agent that are stored; older ones are removed. */
const maxKept = 50
/** Scripts of one evaluation. */
const maxPlayed = 50

const columns = [
  ...(['id', 'workspace_id', 'voice_agent_id', 'version', 'settings_hash', 'status', 'error'] as const),
  ...(['total', 'passed', 'created_at', 'ended_at'] as const),
]

export class EvaluationService {
  private readonly table: WorkspaceTable<Evaluation>
  private readonly results: WorkspaceTable<EvaluationResult>

  constructor(private readonly parts: Parts) {
    this.table = new WorkspaceTable(parts.database, Evaluation)
    this.results = new WorkspaceTable(parts.database, EvaluationResult)
  }

  /** Newest first. */
  async list(
    workspace: Owner,
    agentId: string,
    { version, ...page }: { page: number; limit: number; version?: number },
  ): Promise<Page<EvaluationSummary>> {
    const where = { voice_agent_id: agentId, ...(version !== undefined && { version }) }
    const order = { sort_field: 'created_at', sort_order: 'desc' } as const
    const { rows, total } = await this.table.list(workspace, { ...page, ...order, where, columns })
    return { rows: await this.withStaleness(workspace, agentId, rows), total }
  }

  /** @throws 404 */
  async get(
    workspace: Owner,
    agentId: string,
    id: string,
  ): Promise<{ evaluation: EvaluationSummary; scripts: PlayedScript[]; results: EvaluationResult[] }> {
    const found = await this.table.findBy(workspace, { id, voice_agent_id: agentId })
    const [evaluation] = await this.withStaleness(workspace, agentId, found ? [found] : [])
    if (!found || !evaluation) throw notFound('Evaluation not found')
    const results = await this.results.findAll(workspace, { evaluation_id: id }, maxPlayed)
    return { evaluation, scripts: found.scripts, results: results.sort((a, b) => a.position - b.position) }
  }

  /** The last evaluation of each version that has one. */
  async lastOf(workspace: Owner, agentId: string): Promise<Map<number, EvaluationSummary>> {
    const { rows } = await this.list(workspace, agentId, { page: 1, limit: maxKept + maxRunning })
    // The newest comes last, and stays.
    return new Map(rows.reverse().map((row) => [row.version, row]))
  }

  /** @throws 400 unknown version or script, or nothing to play, 404, 409 too many run */
  async start(workspace: Owner, agentId: string, input: StartEvaluation): Promise<EvaluationSummary> {
    const { database, versions, runner } = this.parts
    const id = newId('eva')
    const evaluation = await withVoiceAgent(database, workspace, agentId, async (tx) => {
      const settings = await versions.find(workspace, agentId, input.version)
      if (!settings) {
        throw invalidField('version', `version ${input.version} is not a version of this voice agent`)
      }
      const scripts = await this.scriptsOf(workspace, agentId, input)
      await lockWorkspace(tx, workspace)
      const running = await tx.countBy(Evaluation, { workspace_id: workspace.id, status: 'running' })
      if (running >= maxRunning)
        throw conflict(`${running} evaluations are running: wait until one has ended`)
      const now = new Date()
      const row: Evaluation = {
        ...{ id, workspace_id: workspace.id, voice_agent_id: agentId, version: input.version, settings },
        settings_hash: settingsHash(settings, await this.parts.tools.list(workspace, agentId)),
        ...{ scripts, status: 'running' as const, error: null, total: scripts.length, passed: 0 },
        ...{ created_at: now, ended_at: null },
      }
      await this.table.in(tx).insert(row)
      const payload: EvaluationPayload = { workspace_id: workspace.id, evaluation_id: id }
      const job = { id: newId('job'), kind: evaluationJob, workspace_id: workspace.id, payload }
      await addJob(tx, { ...job, created_at: now })
      return row
    })
    runner.wake()
    await this.removeOld(workspace, agentId)
    return { ...evaluation, is_stale: false }
  }

  private async scriptsOf(
    workspace: Owner,
    agentId: string,
    { script_ids: ids, scripts: written }: StartEvaluation,
  ): Promise<PlayedScript[]> {
    const kept = ids || !written ? await this.parts.scripts.list(workspace, agentId) : []
    const unknown = (ids ?? []).flatMap((id, index) => {
      const field = `script_ids.${index}`
      const isKnown = kept.some((script) => script.id === id)
      return isKnown ? [] : [{ field, messages: [`${field} is not a script of this voice agent`] }]
    })
    const asked = (written ?? []).map(scriptOf)
    const problems = [
      ...unknown,
      ...asked.flatMap((script, index) => problemsOf(script, `scripts.${index}.`)),
    ]
    if (problems.length > 0) throw new ValidationError(problems)
    const played = [
      ...kept
        .filter(({ id }) => !ids || ids.includes(id))
        .map((script) => ({ ...scriptOf(script), id: script.id })),
      ...asked.map((script) => ({ ...script, id: null })),
    ]
    if (played.length === 0)
      throw badRequest('The voice agent has no scripts: write one first, or send scripts')
    if (played.length > maxPlayed)
      throw invalidField('scripts', `scripts and script_ids are ${maxPlayed} at most`)
    return played
  }

  private async withStaleness(
    workspace: Owner,
    agentId: string,
    rows: readonly Evaluation[],
  ): Promise<EvaluationSummary[]> {
    if (rows.length === 0) return []
    const tools = await this.parts.tools.list(workspace, agentId)
    const versions = await this.parts.versions.list(workspace, agentId)
    const hashes = new Map(
      versions.map((settings): [number, string] => [settings.version, settingsHash(settings, tools)]),
    )
    return rows.map((row) => ({ ...row, is_stale: hashes.get(row.version) !== row.settings_hash }))
  }

  private async removeOld(workspace: Owner, agentId: string): Promise<void> {
    const table = this.parts.database.platformTable(Evaluation)
    const old = await table.find({
      select: { id: true },
      where: { workspace_id: workspace.id, voice_agent_id: agentId, status: In(['completed', 'failed']) },
      order: { created_at: 'DESC', id: 'DESC' },
      ...{ skip: maxKept, take: maxKept },
    })
    if (old.length > 0) await table.delete(old.map(({ id }) => id))
  }
}
