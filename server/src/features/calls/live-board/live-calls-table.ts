/** Live calls for the live board, read from the rows, whichever server drives the calls. */
import type { CallDirection } from '../model/call-direction.js'
import type { Call } from '../model/call.entity.js'
import type { Database } from '../../../infrastructure/database/database.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { CallStatus } from '../model/call-state.js'
import type { LegRole } from '../model/call-leg.entity.js'

/** A live call with its open legs. */
export interface ShownCall {
  id: string
  workspace_id: string
  direction: CallDirection
  line: Call['line']
  status: CallStatus
  from_number: string
  from_name: string
  to_number: string
  to_name: string
  created_at: Date
  answered_at: Date | null
  /** The team whose queue it waits in, and since when. */
  queue_team_id: string | null
  queue_entered_at: Date | null
  legs: ShownLeg[]
  /** What is recorded of it now; null: nothing. */
  recording: ShownRecording | null
}

/** A recording that runs. */
export interface ShownRecording {
  id: string
  call_id: string
  status: 'recording' | 'paused'
  created_at: Date
}

/** A leg of an agent or a voice agent. */
export interface ShownLeg {
  call_id: string
  role: LegRole
  /** Null for a voice agent. */
  agent_id: string | null
  username: string | null
  display_name: string | null
  voice_agent_id: string | null
  created_at: Date
  answered_at: Date | null
}

const columns = `calls.id, calls.workspace_id, calls.direction, calls.line, calls.status, calls.from_number, calls.from_name,
  calls.to_number, calls.to_name, calls.created_at, calls.answered_at,
  entry.team_id AS queue_team_id, entry.entered_at AS queue_entered_at`

/** Calls of teams: an agent of the team is in the call or is rung, or the call waits in the team's queue. */
const ofTeams = `AND (entry.team_id IN (?) OR EXISTS (
  SELECT 1 FROM call_legs leg JOIN team_members member ON member.agent_id = leg.agent_id
  WHERE leg.call_id = calls.id AND leg.ended_at IS NULL AND leg.role <> 'supervisor' AND member.team_id IN (?)))`

export class LiveCallsTable {
  constructor(private readonly database: Database) {}

  /**
   * Calls of a workspace, oldest first.
   * @param teamIds restricts them to these teams
   * @param most maximum number
   */
  async of(workspace: Owner, teamIds: readonly string[] | null, most: number): Promise<ShownCall[]> {
    if (teamIds?.length === 0) return []
    const calls: ShownCall[] = await this.database.source.query(
      `SELECT ${columns} FROM calls LEFT JOIN queue_entries entry ON entry.call_id = calls.id
       WHERE calls.live = 1 AND calls.workspace_id = ? ${teamIds ? ofTeams : ''} ORDER BY calls.id LIMIT ?`,
      [workspace.id, ...(teamIds ? [teamIds, teamIds] : []), most],
    )
    return this.withLegs(calls)
  }

  /** The live calls among these ids, of any workspace. */
  async known(ids: readonly string[]): Promise<ShownCall[]> {
    if (ids.length === 0) return []
    const calls: ShownCall[] = await this.database.source.query(
      `SELECT ${columns} FROM calls LEFT JOIN queue_entries entry ON entry.call_id = calls.id
       WHERE calls.id IN (?) AND calls.live = 1`,
      [ids],
    )
    return this.withLegs(calls)
  }

  private async withLegs(calls: readonly ShownCall[]): Promise<ShownCall[]> {
    if (calls.length === 0) return []
    const recordings = await this.recordingsOf(calls)
    const legs: ShownLeg[] = await this.database.source.query(
      `SELECT leg.call_id, leg.role, leg.agent_id, agents.username, agents.display_name, leg.voice_agent_id,
         leg.created_at, leg.answered_at
       FROM call_legs leg LEFT JOIN agents ON agents.id = leg.agent_id
       WHERE leg.call_id IN (?) AND leg.ended_at IS NULL AND (agents.id IS NOT NULL OR leg.voice_agent_id IS NOT NULL)
       ORDER BY leg.id`,
      [calls.map(({ id }) => id)],
    )
    const legsOf = new Map<string, ShownLeg[]>()
    for (const leg of legs) {
      const known = legsOf.get(leg.call_id)
      if (known) known.push(leg)
      else legsOf.set(leg.call_id, [leg])
    }
    return calls.map((call) => ({
      ...call,
      legs: legsOf.get(call.id) ?? [],
      recording: recordings.get(call.id) ?? null,
    }))
  }

  /** The latest recording of each call that is recorded now. */
  private async recordingsOf(calls: readonly ShownCall[]): Promise<Map<string, ShownRecording>> {
    const rows: ShownRecording[] = await this.database.source.query(
      `SELECT id, call_id, status, created_at FROM recordings
       WHERE workspace_id IN (?) AND call_id IN (?) AND kind = 'call' AND status IN ('recording', 'paused')
       ORDER BY id`,
      [[...new Set(calls.map(({ workspace_id }) => workspace_id))], calls.map(({ id }) => id)],
    )
    return new Map(rows.map((row) => [row.call_id, row]))
  }
}
