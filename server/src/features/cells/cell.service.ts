/** The cells as the operator sees them, and has them drain. */
import { recordChange } from '../../infrastructure/database/audit.js'
import type { Database } from '../../infrastructure/database/database.js'
import { notFound } from '../../infrastructure/http/errors.js'
import { Cell } from './cell.entity.js'
import { deadAfterMs } from './cell-lease.js'

interface Options {
  readonly database: Database
  /** Has all servers see what has changed; this one has when it returns. */
  readonly changed: () => Promise<void>
}

interface CellRow {
  name: string
  switch_address: string
  beat_at: Date
  up: 0 | 1
  is_draining: 0 | 1
  calls: number | string
}

export class CellService {
  constructor(private readonly options: Options) {}

  /** All there have been, by their names. */
  async list() {
    return (await this.rows()).map(presented)
  }

  /** Has one take no new calls, or take them again. It holds over restarts. @throws 404 */
  async setDraining(name: string, isDraining: boolean) {
    const { database, changed } = this.options
    await database.transaction(async (tx) => {
      const cell = await tx.findOne(Cell, { where: { name }, lock: { mode: 'pessimistic_write' } })
      if (!cell) throw unknown()
      if (cell.is_draining === isDraining) return
      await tx.update(Cell, name, { is_draining: isDraining })
      await recordChange(tx, {
        ...{ workspace_id: null, action: isDraining ? 'drain.begin' : 'drain.end' },
        target: { type: 'cell', id: name },
      })
    })
    await changed()
    const [row] = await this.rows(name)
    if (!row) throw unknown()
    return presented(row)
  }

  private async rows(name?: string): Promise<CellRow[]> {
    return this.options.database.source.query<CellRow[]>(
      `SELECT name, switch_address, beat_at, is_draining,
         is_up AND beat_at > UTC_TIMESTAMP(3) - INTERVAL ? MICROSECOND AS up,
         (SELECT COUNT(*) FROM calls WHERE calls.live = 1 AND calls.cell = cells.name) AS calls
       FROM cells ${name === undefined ? '' : 'WHERE name = ?'} ORDER BY name`,
      [deadAfterMs * 1_000, ...(name === undefined ? [] : [name])],
    )
  }
}

function presented({ name, switch_address, beat_at, up, is_draining, calls }: CellRow) {
  return {
    ...{ name, is_up: up === 1, is_draining: is_draining === 1, switch_address },
    ...{ beat_at: beat_at.toISOString(), live_calls: Number(calls) },
  }
}

const unknown = () => notFound('There is no cell of this name')
