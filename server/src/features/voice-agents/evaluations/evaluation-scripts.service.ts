/** The written callers that a voice agent keeps. */
import type { EntityManager } from 'typeorm'
import { type Database, isDuplicate } from '../../../infrastructure/database/database.js'
import { newId } from '../../../infrastructure/database/ids.js'
import { type Owner, WorkspaceTable } from '../../../infrastructure/database/workspace-table.js'
import { ValidationError, conflict, forbidden, notFound } from '../../../infrastructure/http/errors.js'
import { withVoiceAgent } from '../voice-agent-lock.js'
import { EvaluationScript } from './evaluation-script.entity.js'
import type { UpdateScript } from './evaluations.schema.js'
import type { ScriptInput } from './rules.schema.js'
import { problemsOf, scriptOf } from './script.js'

/** Scripts of one voice agent. */
export const maxScripts = 50

export class EvaluationScripts {
  private readonly table: WorkspaceTable<EvaluationScript>

  constructor(private readonly database: Database) {
    // The audit log's JSON columns refuse some of what scripts may hold.
    this.table = new WorkspaceTable(database, EvaluationScript, {
      audited: 'voice_agent_evaluation_script',
      hidden: ['turns', 'expect', 'tool_answers'],
    })
  }

  /** All of a voice agent, oldest first. */
  async list(workspace: Owner, agentId: string): Promise<EvaluationScript[]> {
    return this.table.findAll(workspace, { voice_agent_id: agentId }, maxScripts)
  }

  /** @throws 404 */
  async get(workspace: Owner, agentId: string, id: string): Promise<EvaluationScript> {
    return this.of(this.table, workspace, agentId, id)
  }

  /** @throws 400, 403 at 50 scripts, 404 unknown voice agent, 409 the name is taken */
  async create(workspace: Owner, agentId: string, input: ScriptInput): Promise<EvaluationScript> {
    const now = new Date()
    const script = scriptOf(input)
    check(script)
    return withVoiceAgent(this.database, workspace, agentId, async (tx) => {
      const table = this.table.in(tx)
      if ((await this.in(tx, workspace, agentId)).length >= maxScripts) {
        throw forbidden(`The voice agent has ${maxScripts} scripts already`)
      }
      const row = {
        ...{ id: newId('evs'), workspace_id: workspace.id, voice_agent_id: agentId },
        ...{ ...script, turns: [...script.turns], expect: [...script.expect] },
        ...{ created_at: now, updated_at: now },
      }
      return named(input.name, async () => table.insert(row))
    })
  }

  /** @throws 400, 404, 409 the name is taken */
  async update(
    workspace: Owner,
    agentId: string,
    id: string,
    input: UpdateScript,
  ): Promise<EvaluationScript> {
    return withVoiceAgent(this.database, workspace, agentId, async (tx) => {
      const table = this.table.in(tx)
      const script = await this.of(table, workspace, agentId, id)
      const changed = { ...script, ...input, updated_at: new Date() }
      check(changed)
      const changes = { ...input, updated_at: changed.updated_at }
      await named(changed.name, async () => table.update(workspace, id, changes))
      return changed
    })
  }

  /** @throws 404 */
  async delete(workspace: Owner, agentId: string, id: string): Promise<EvaluationScript> {
    const script = await this.get(workspace, agentId, id)
    await this.table.delete(workspace, id)
    return script
  }

  private async in(tx: EntityManager, workspace: Owner, agentId: string): Promise<EvaluationScript[]> {
    return this.table.in(tx).findAll(workspace, { voice_agent_id: agentId }, maxScripts)
  }

  private async of(
    table: WorkspaceTable<EvaluationScript>,
    workspace: Owner,
    agentId: string,
    id: string,
  ): Promise<EvaluationScript> {
    const script = await table.findBy(workspace, { id, voice_agent_id: agentId })
    if (!script) throw notFound('Script not found')
    return script
  }
}

function check(script: Parameters<typeof problemsOf>[0]): void {
  const problems = problemsOf(script)
  if (problems.length > 0) throw new ValidationError(problems)
}

/** Writes a script's row. @throws 409 when the voice agent has another one of this name */
async function named<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw isDuplicate(error) ? conflict(`The voice agent has a script ${name} already`) : error
  }
}
