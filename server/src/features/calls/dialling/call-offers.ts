/** Writes which agents a call was offered to, for how long, and with which result. */
import type { Logger } from 'pino'
import { type Database, isDuplicate } from '../../../infrastructure/database/database.js'
import { newId } from '../../../infrastructure/database/ids.js'
import { insertRows } from '../../../infrastructure/database/rows.js'
import type { Call } from '../model/call.entity.js'
import { CallOffer, type OfferResult } from '../model/call-offer.entity.js'
import { DurableWrites } from '../model/durable-writes.js'

/** An agent, and the team in whose name they are called. */
export interface Offered {
  readonly agentId: string
  readonly teamId: string | null
}

export class CallOffers {
  constructor(
    private readonly database: Database,
    private readonly log: Logger,
  ) {}

  /**
   * An agent is being rung. The ringing does not wait for the row.
   * @returns writes how it ended
   */
  begin(call: Call, offered: Offered): (result: OfferResult) => void {
    const writes = new DurableWrites(this.log, call.id)
    const row = rowOf(call, offered)
    void writes.add(async () => this.insert(row))
    return (result) => {
      const endedAt = new Date()
      void writes.add(async () =>
        this.database.source.query(
          'UPDATE call_offers SET ended_at = ?, result = ? WHERE id = ? AND ended_at IS NULL',
          [endedAt, result, row.id],
        ),
      )
    }
  }

  /** No device of the agent rings. */
  refuse(call: Call, offered: Offered, result: OfferResult): void {
    const row = rowOf(call, offered)
    const ended = { ...row, ended_at: row.began_at, result }
    void new DurableWrites(this.log, call.id).add(async () => this.insert(ended))
  }

  private async insert(row: CallOffer): Promise<void> {
    await insertRows(this.database.source.manager, CallOffer, [row]).catch((error: unknown) => {
      // A repetition: the answer to the first statement was lost.
      if (!isDuplicate(error)) throw error
    })
  }
}

function rowOf({ id, workspace_id }: Call, { agentId, teamId }: Offered): CallOffer {
  return {
    ...{ id: newId('off'), call_id: id, workspace_id, agent_id: agentId, team_id: teamId },
    ...{ began_at: new Date(), ended_at: null, result: null },
  }
}
