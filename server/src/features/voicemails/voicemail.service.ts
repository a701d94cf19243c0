/** Voicemails of agents and their teams. */
import type { Database } from '../../infrastructure/database/database.js'
import { pageOfRows } from '../../infrastructure/database/paged.js'
import { containing } from '../../infrastructure/database/search.js'
import { type Owner, WorkspaceTable } from '../../infrastructure/database/workspace-table.js'
import type { AgentActor } from '../../infrastructure/http/endpoint.js'
import { notFound } from '../../infrastructure/http/errors.js'
import type { Page } from '../../infrastructure/http/lists.js'
import { searched } from '../calls/api/call-list.js'
import type { CallHistory } from '../calls/api/call-history.js'
import type { OwnCall, OwnCalls } from '../calls/api/own-calls.js'
import type { CallAgent } from '../calls/api/related.js'
import { Call } from '../calls/model/call.entity.js'
import type { RecordingService, VoicemailMark } from '../recordings/recording.service.js'
import type { RecordingFormat, RecordingStatus } from '../recordings/recording.entity.js'
import { isVoicemailOf } from './voicemail-audience.js'
import type { VoicemailQuery } from './voicemail.schema.js'

interface Row {
  readonly id: string
  readonly call_id: string
  readonly status: RecordingStatus
  readonly format: RecordingFormat
  readonly duration_ms: number | null
  readonly transcript: string | null
  readonly created_at: Date
  readonly heard_at: Date | null
  readonly heard_by: string | null
  readonly done_at: Date | null
  readonly done_by: string | null
}

export interface Voicemail extends Omit<Row, 'heard_by' | 'done_by'> {
  readonly call: OwnCall
  readonly heard_by: CallAgent | null
  readonly done_by: CallAgent | null
}

/** One that the caller left without a word is no voicemail. */
const theirs = `recordings message JOIN calls ON calls.id = message.call_id
  WHERE message.workspace_id = ? AND message.kind = 'voicemail' AND message.status <> 'failed'
    AND ${isVoicemailOf('?', '?')}`

const states: Readonly<Record<VoicemailQuery['state'], string>> = {
  new: 'AND message.heard_at IS NULL AND message.done_at IS NULL',
  open: 'AND message.done_at IS NULL',
  done: 'AND message.done_at IS NOT NULL',
  all: '',
}

const columns = `message.id, message.call_id, message.status, message.format, message.duration_ms, message.transcript,
  message.created_at, message.heard_at, message.heard_by, message.done_at, message.done_by`

interface Services {
  readonly database: Database
  readonly history: CallHistory
  readonly ownCalls: OwnCalls
  readonly recordings: Pick<RecordingService, 'mark'>
  /** Tells those whose voicemail it is. */
  readonly changed: (workspaceId: string, callId: string) => void
}

export class VoicemailService {
  private readonly calls: WorkspaceTable<Call>

  constructor(private readonly services: Services) {
    this.calls = new WorkspaceTable(services.database, Call)
  }

  /** Newest first. */
  async of(
    workspace: Owner,
    agent: AgentActor,
    { state, search, ...request }: VoicemailQuery,
  ): Promise<Page<Voicemail>> {
    const { source } = this.services.database
    const found = search ? await matching(this.services.database, workspace, search) : { sql: '', values: [] }
    const from = `${theirs} ${states[state]} ${found.sql}`
    const values = [...valuesOf(workspace, agent), ...found.values]
    const { rows, total } = await pageOfRows(
      request,
      async ({ limit, offset, isBackward }) => {
        const order = isBackward ? 'ASC' : 'DESC'
        return source.query<Row[]>(
          `SELECT ${columns} FROM ${from}
           ORDER BY message.created_at ${order}, message.id ${order} LIMIT ? OFFSET ?`,
          [...values, limit, offset],
        )
      },
      async () => this.count(from, values),
    )
    return { rows: await this.shown(workspace, agent, rows), total }
  }

  /** How many are not heard yet. */
  async countNew(workspace: Owner, agent: AgentActor): Promise<number> {
    return this.count(`${theirs} ${states.new}`, valuesOf(workspace, agent))
  }

  private async count(from: string, values: readonly unknown[]): Promise<number> {
    const [row] = await this.services.database.source.query<{ total: string }[]>(
      `SELECT COUNT(*) AS total FROM ${from}`,
      [...values],
    )
    return Number(row?.total ?? 0)
  }

  /** @throws 404 for a voicemail that is not the agent's */
  async get(workspace: Owner, agent: AgentActor, id: string): Promise<Voicemail> {
    const rows = await this.services.database.source.query<Row[]>(
      `SELECT ${columns} FROM ${theirs} AND message.id = ?`,
      [...valuesOf(workspace, agent), id],
    )
    const [voicemail] = await this.shown(workspace, agent, rows)
    if (!voicemail) throw notFound(`Voicemail ${id} not found`)
    return voicemail
  }

  /** Marks a voicemail, or takes the mark back. @throws 404 */
  async mark(
    workspace: Owner,
    agent: AgentActor,
    id: string,
    mark: VoicemailMark,
    isSet: boolean,
  ): Promise<Voicemail> {
    await this.get(workspace, agent, id)
    await this.services.recordings.mark(id, mark, isSet ? agent.id : null)
    const marked = await this.get(workspace, agent, id)
    this.services.changed(workspace.id, marked.call_id)
    return marked
  }

  private async shown(workspace: Owner, { id }: AgentActor, rows: readonly Row[]): Promise<Voicemail[]> {
    const { history, ownCalls } = this.services
    if (rows.length === 0) return []
    const found = await this.calls.findMany(workspace, [...new Set(rows.map(({ call_id }) => call_id))])
    const [calls, agents] = await Promise.all([
      ownCalls.seenBy(workspace, id, await history.withAgents(workspace, found)),
      history.agents(workspace, [
        ...new Set(rows.flatMap(({ heard_by, done_by }) => [heard_by ?? [], done_by ?? []].flat())),
      ]),
    ])
    const callOf = new Map(calls.map((call) => [call.id, call]))
    return rows.flatMap(({ heard_by, done_by, ...row }) => {
      const call = callOf.get(row.call_id)
      if (!call) return []
      const by = { heard_by: agents.get(heard_by ?? '') ?? null, done_by: agents.get(done_by ?? '') ?? null }
      return [{ ...row, ...by, call }]
    })
  }
}

/** Those whose parties or words hold a text. */
async function matching(
  database: Database,
  workspace: Owner,
  text: string,
): Promise<{ sql: string; values: readonly unknown[] }> {
  const called = await searched(database, workspace, text)
  const said = containing('message.transcript', text)
  return { sql: `AND (${called.sql} OR ${said.sql})`, values: [...called.values, ...said.values] }
}

function valuesOf(workspace: Owner, { id, role, is_admin }: AgentActor): unknown[] {
  return [workspace.id, id, id, role !== 'member' || is_admin]
}
