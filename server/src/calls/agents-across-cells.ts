/**
 * Agents whom one of several cells rings, as rows: of cells that ring an agent in one moment the database lets one. What
 * other cells do besides they tell over Redis, and that is known in memory.
 */
import type { Logger } from 'pino'
import type { Database } from '../database/database.js'
import type { OtherCells } from './agent-claims.js'

interface Options {
  database: Database
  /** The cell that this server belongs to. */
  cell: string
  /** Agents who have a call of another server, or are rung for one. */
  taken: { has(agentId: string): boolean }
  log: Logger
}

export class AgentsAcrossCells implements OtherCells {
  /** Agents of whom this server has written a row, and what is being done about it. */
  private readonly rows = new Map<string, Promise<unknown>>()

  constructor(private readonly options: Options) {}

  has(agentId: string): boolean {
    return this.options.taken.has(agentId)
  }

  async take(agentId: string, callId: string): Promise<boolean> {
    const { database, cell } = this.options
    await this.rows.get(agentId)
    // While the call lives the agent may be in it, whatever its cell is about: its server may just restart.
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
      .catch((error: unknown) => log.warn({ err: error }, 'the next sweep lets an agent go'))
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
    // Those of the last seconds may be younger than the list.
    await database.source.query(
      `DELETE FROM agent_claims WHERE cell = ? AND agent_id NOT IN (?)
         AND claimed_at < UTC_TIMESTAMP(3) - INTERVAL 10 SECOND`,
      [cell, agentIds.length > 0 ? agentIds : ['']],
    )
  }

  /** Lets all go whom a dead cell has rung. */
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
