/** Recovers live calls of the previous process, or those that continued while the connection to the switch was lost. */
import type { Logger } from 'pino'
import { SwitchDownError } from '../../../adapters/freeswitch/errors.js'
import type { SwitchLink } from '../../../adapters/freeswitch/switch-link.js'
import type { CallRecovery } from './call-recovery.js'
import type { CallStore } from '../model/call-store.js'
import type { Call } from '../model/call.entity.js'
import type { SwitchHistory } from '../model/leg-ends.js'
import { type LiveCall, scripted } from '../session/live-call.js'
import type { PhoneRecovery } from './phone-recovery.js'

/** Calls that are recovered at the same time. */
const atOnce = 10

interface Parts {
  store: CallStore
  link: Pick<SwitchLink, 'isUp'>
  recovery: CallRecovery
  phoneRecovery: PhoneRecovery
  log: Logger
  /** True if a call has a session by now, or is about to have one. */
  isDriven(callId: string): boolean
  /** A call was recovered. */
  recovered(session: LiveCall): Promise<void>
  /** A call is over, or has not started. */
  notRecovered(call: Call): void
}

export class RecoveryRunner {
  /** Calls that could not be recovered yet, through a fault of their own. */
  private readonly left = new Set<string>()

  constructor(private readonly parts: Parts) {}

  /** True if a call still has to be recovered after all others were. */
  isLeft(callId: string): boolean {
    return this.left.has(callId)
  }

  /** All calls are about to be recovered again. */
  beginAnew(): void {
    this.left.clear()
  }

  /**
   * Recovers all calls; one faulty call does not stop the others.
   * @throws when the switch or the database is unreachable
   */
  async recoverAll(calls: readonly Call[], history: SwitchHistory): Promise<void> {
    const waiting = [...calls]
    const takeNext = async (): Promise<void> => {
      for (let call = waiting.shift(); call; call = waiting.shift()) {
        // It was placed during recovery: its leg may be written and not dialled yet.
        if (this.parts.isDriven(call.id)) continue
        try {
          await this.recover(call, history)
        } catch (error) {
          if (!(await this.isOwnFault(call, error))) throw error
          this.parts.log.error(
            { event: 'recovery.call_failed', err: error, call: call.id },
            'a call cannot be recovered',
          )
          this.left.add(call.id)
        }
      }
    }
    const ends = await Promise.allSettled(
      Array.from({ length: atOnce }, async () =>
        takeNext().catch((error: unknown) => {
          waiting.length = 0
          throw error
        }),
      ),
    )
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  async recover(call: Call, history: SwitchHistory): Promise<void> {
    const { store, recovery, phoneRecovery } = this.parts
    const session: LiveCall | null =
      call.line === null
        ? await phoneRecovery.recover(call, await store.legsOf(call.id), history)
        : await recovery.recover(call, history)
    this.left.delete(call.id)
    if (!session) {
      this.parts.notRecovered(call)
      return
    }
    await this.parts.recovered(session)
    // Its script may have been replaced while the session was built.
    const now = await store.load(call.id)
    const isReplaced = now?.program === 'script' && now.script_revision > call.script_revision
    if (isReplaced) scripted(session)?.replaceScript(now.script, now.script_revision)
  }

  /** @throws when the database is unreachable */
  private async isOwnFault({ id }: Call, error: unknown): Promise<boolean> {
    await this.parts.store.load(id)
    return this.parts.link.isUp && !(error instanceof SwitchDownError)
  }
}
