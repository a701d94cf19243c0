/**
 * Reservations of agents across several cells, as rows: when two cells want to ring an agent at once, the database
 * lets only one of them. The agents in calls of other cells come over Redis, and are known in memory.
 */
import type { Logger } from 'pino'
import type { Database } from '../../../infrastructure/database/database.js'
import type { OtherCells } from './agent-claims.js'

interface Options {
  database: Database
  /** The cell that this server belongs to. */
  cell: string
  /** Agents who are in a call of another server, or rung by it. */
  taken: { has(agentId: string): boolean }
  log: Logger
}

export class AgentsAcrossCells implements OtherCells {
  /** Agents with a row of this server, each with the row's pending deletion. */
  private readonly rows = new Map<string, Promise<unknown>>()

  constructor(private readonly options: Options) {}

  has(agentId: string): boolean {
    return this.options.taken.has(agentId)
  }

  async take(agentId: string, callId: string): Promise<boolean> {
    const { database, cell } = this.options
    await this.rows.get(agentId)
    // While the call is live the agent may be in it, even when its cell is silent: its server may be restarting.
    await database.source.query(
      `DELETE claim FROM agent_claims claim LEFT JOIN calls ON calls.id = claim.call_id AND calls.live = 1
       WHERE claim.agent_id = ? AND claim.cell <> ? AND calls.id IS NULL`,
      [agentId, cell],
    )
    const { affectedRows } = await database.source.query<{ affectedRows: number }>(
      'INSERT IGNORE INTO agent_claims (agent_id, cell, call_id, claimed_at) VALUES (?, ?, ?, UTC_TIMESTAMP(3))',
      [agentId, cell, callId],
    )
    const isTaken = affectedRows === 1 || (await this.isOwn(agentId))
    if (isTaken) this.rows.set(agentId, Promise.resolve())
    return isTaken
  }

  giveUp(agentId: string): void {
    const { database, cell, log } = this.options
    if (!this.rows.has(agentId)) return
    const gone = database.source
      .query('DELETE FROM agent_claims WHERE agent_id = ? AND cell = ?', [agentId, cell])
      .catch((error: unknown) =>
        log.warn(
          { event: 'agent.release_failed', err: error },
          'an agent could not be released; the next reconciliation does it',
        ),
      )
      .finally(() => {
        if (this.rows.get(agentId) === gone) this.rows.delete(agentId)
      })
    this.rows.set(agentId, gone)
  }

  async givenUp(agentId: string): Promise<void> {
    await this.rows.get(agentId)
  }

  async keepOnly(agentIds: readonly string[]): Promise<void> {
    const { database, cell } = this.options
    // Rows of the last seconds may be newer than the list of agents.
    await database.source.query(
      `DELETE FROM agent_claims WHERE cell = ? AND agent_id NOT IN (?)
         AND claimed_at < UTC_TIMESTAMP(3) - INTERVAL 10 SECOND`,
      [cell, agentIds.length > 0 ? agentIds : ['']],
    )
  }

  /** Releases all agents of a dead cell. */
  async forget(cell: string): Promise<void> {
    await this.options.database.source.query('DELETE FROM agent_claims WHERE cell = ?', [cell])
  }

  private async isOwn(agentId: string): Promise<boolean> {
    const { database, cell } = this.options
    const [row] = await database.source.query<{ cell: string }[]>(
      'SELECT cell FROM agent_claims WHERE agent_id = ?',
      [agentId],
    )
    return row?.cell === cell
  }
}
