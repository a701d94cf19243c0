/** The program of a call in its row: what runs, what takes its place, and what comes behind it. */
import { type EntityManager, In, type QueryDeepPartialEntity } from 'typeorm'
import type { Database } from '../database/database.js'
import { byPrimary } from '../database/rows.js'
import { badRequest } from '../http/errors.js'
import type { ScriptStep } from './call.schema.js'
import { maxActions } from './call.schema.js'
import { Call } from './call.entity.js'
import { CallEvent } from './call-event.entity.js'
import { eventOf } from './call-events.js'
import type { LastWord } from './program.js'
import type { ProgramStore } from './program-runner.js'

const programColumns = ['program', 'script', 'script_revision', 'script_node', 'pending_script'] as const

/** In these a program runs; `over` begins with the hanging up. */
const running = { live: 1, status: In(['started', 'active']), program: In(['script', 'flow']) } as const

export class Programs implements ProgramStore {
  constructor(private readonly database: Database) {}

  /**
   * Puts a script in the place of all that a call has left.
   * @param onlyOver the revision that it may take the place of; any by default
   * @returns the new revision, or null when no program runs on the call (any more)
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
   * Puts actions behind all that a call has left.
   * @returns whether a program runs on the call. @throws 400 when too many wait
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

  async beginInStead(call: Call, node: string, actions: ScriptStep[]): Promise<boolean> {
    const script_revision = call.script_revision + 1
    const where = { id: call.id, script_revision: call.script_revision, program: 'flow' } as const
    const changes = { script: actions, script_node: node, script_revision }
    const { affected } = await this.calls.update(where, changes as QueryDeepPartialEntity<Call>)
    // Something newer may have been put in their place before this was known.
    if (affected && call.script_revision < script_revision) Object.assign(call, changes)
    return Boolean(affected)
  }

  async endInStead(call: Call): Promise<void> {
    call.script_node = null
    await this.calls.update({ id: call.id, script_revision: call.script_revision }, { script_node: null })
  }

  /** The cause stands in the row for a process that finds the call before it is hung up. */
  async endProgram(call: Call, cause: string, told: (LastWord & { at: Date }) | null): Promise<boolean> {
    const { id, script_revision } = call
    const where = { id, script_revision, program: In(['script', 'flow']) }
    return this.database.transaction(async (tx) => {
      const { affected } = await tx.update(Call, where, { program: 'over', hangup_cause: cause })
      if (affected && told) {
        await tx.insert(CallEvent, eventOf(call, told.event, told.at, { details: told.details }))
      }
      return Boolean(affected)
    })
  }

  async nextProgram(call: Call): Promise<boolean> {
    // The call may be given another script while we ask.
    const { id, script_revision: finished } = call
    // As good as always nothing waits: that takes one statement.
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
        for (const column of programColumns) Object.assign(call, { [column]: row[column] })
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
