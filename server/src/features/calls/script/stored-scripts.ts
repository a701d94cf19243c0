/** The script of a call in its row: what runs, what replaces it, and what follows. */
import { type EntityManager, In, type QueryDeepPartialEntity } from 'typeorm'
import type { Database } from '../../../infrastructure/database/database.js'
import { byPrimary } from '../../../infrastructure/database/rows.js'
import { badRequest } from '../../../infrastructure/http/errors.js'
import type { ScriptStep } from '../model/call.schema.js'
import { maxActions } from '../model/call.schema.js'
import { Call } from '../model/call.entity.js'
import { CallEvent } from '../model/call-event.entity.js'
import { eventOf } from '../model/call-events.js'
import type { FinalEvent } from './script.js'
import type { ScriptStore } from './script-runner.js'

const scriptColumns = ['program', 'script', 'script_revision', 'script_node', 'pending_script'] as const

/** A script runs in these; `over` is set when the hang-up starts. */
const running = { live: 1, status: In(['started', 'active']), program: In(['script', 'flow']) } as const

export class StoredScripts implements ScriptStore {
  constructor(private readonly database: Database) {}

  /**
   * Replaces the rest of a call's script.
   * @param onlyOver the revision to replace; any by default
   * @returns the new revision; null if no script runs on the call (any more)
   */
  async replace(call: Call, script: ScriptStep[], onlyOver?: number): Promise<number | null> {
    return this.database.transaction(async (tx) => {
      const row = await this.lockRunning(tx, call)
      if (!row || row.script_revision !== (onlyOver ?? row.script_revision)) return null
      const script_revision = row.script_revision + 1
      const changes = { program: 'script', script, script_node: null, pending_script: null, script_revision }
      await tx.update(Call, call.id, changes as QueryDeepPartialEntity<Call>)
      return script_revision
    })
  }

  /**
   * Queues actions behind a call's script.
   * @returns whether a script runs on the call.
   * @throws 400 over the limit of queued actions
   */
  async push(call: Call, script: ScriptStep[]): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const row = await this.lockRunning(tx, call)
      if (!row) return false
      const pending = [...(row.pending_script ?? []), ...script]
      if (pending.length > maxActions) {
        throw badRequest(`At most ${maxActions} actions may wait behind those that run`)
      }
      await tx.update(Call, call.id, { pending_script: pending } as QueryDeepPartialEntity<Call>)
      return true
    })
  }

  async beginSubscript(call: Call, node: string, actions: ScriptStep[]): Promise<boolean> {
    const script_revision = call.script_revision + 1
    const where = { id: call.id, script_revision: call.script_revision, program: 'flow' } as const
    const changes = { script: actions, script_node: node, script_revision }
    const { affected } = await this.calls.update(where, changes as QueryDeepPartialEntity<Call>)
    // A newer script may have replaced them meanwhile.
    if (affected && call.script_revision < script_revision) Object.assign(call, changes)
    return Boolean(affected)
  }

  async endSubscript(call: Call): Promise<void> {
    call.script_node = null
    await this.calls.update({ id: call.id, script_revision: call.script_revision }, { script_node: null })
  }

  /** Writes the cause, too, for a process that recovers the call before it is hung up. */
  async endScript(call: Call, cause: string, event: (FinalEvent & { at: Date }) | null): Promise<boolean> {
    const { id, script_revision } = call
    const where = { id, script_revision, program: In(['script', 'flow']) }
    return this.database.transaction(async (tx) => {
      const { affected } = await tx.update(Call, where, { program: 'over', hangup_cause: cause })
      if (affected && event) {
        await tx.insert(CallEvent, eventOf(call, event.event, event.at, { details: event.details }))
      }
      return Boolean(affected)
    })
  }

  async nextScript(call: Call): Promise<boolean> {
    // The script may be replaced meanwhile.
    const { id, script_revision: finished } = call
    // Usually nothing is queued: that takes one statement.
    const over = await this.database.source.query<{ affectedRows: number }>(
      `UPDATE calls ${byPrimary} SET program = 'over'
       WHERE id = ? AND script_revision = ? AND pending_script IS NULL AND live = 1`,
      [id, finished],
    )
    if (over.affectedRows) return false
    return this.database.transaction(async (tx) => {
      const row = await tx.findOne(Call, { where: { id: call.id }, lock: { mode: 'pessimistic_write' } })
      if (!row?.live) return false
      if (row.script_revision === finished) {
        const next = row.pending_script
          ? {
              ...{ program: 'script', script: row.pending_script, script_node: null, pending_script: null },
              script_revision: row.script_revision + 1,
            }
          : { program: 'over' }
        await tx.update(Call, call.id, next as QueryDeepPartialEntity<Call>)
        Object.assign(row, next)
      }
      if (row.script_revision > call.script_revision) {
        for (const column of scriptColumns) Object.assign(call, { [column]: row[column] })
      }
      return row.program !== 'over'
    })
  }

  private async lockRunning(tx: EntityManager, { id }: Call): Promise<Call | null> {
    return tx.findOne(Call, { where: { id, ...running }, lock: { mode: 'pessimistic_write' } })
  }

  private get calls() {
    return this.database.platformTable(Call)
  }
}
