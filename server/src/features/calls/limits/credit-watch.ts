/** Makes sure that every call that runs here holds credit for its next seconds, and ends it before it costs more. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { grouped } from '../../../lib/grouped.js'
import { costOf, isFree, type Rate } from '../../rates/rating.js'
import { sumOf } from '../../../lib/money.js'
import type { CreditHolds } from './credit-holds.js'
import type { Call } from '../model/call.entity.js'
import { refusalCauses } from '../model/termination.js'

/** Interval between checks of the calls, in milliseconds. */
export const creditWatchMs = 1_000

/** Holds are raised when they cover less than this, in milliseconds. */
const aheadMs = 10_000

/** A call is ended this long before the first second that it cannot pay, in milliseconds. */
const marginMs = 250

/** The same for rates with steps of several seconds, where ending late is expensive. */
const stepMarginMs = 2_000

/** A running call. */
interface Watched {
  readonly call: Call
  /** USD that the call has cost up to a moment. */
  costAt(now: Date): number
  /** Seconds of the largest billing increment among its live legs. */
  readonly increment: number
  hangUp(cause: string): Promise<void>
}

export class CreditWatch {
  /** Timers of calls whose credit runs out within a second. */
  private readonly ends = new Map<string, NodeJS.Timeout>()
  /** Workspaces whose holds are being raised. */
  private readonly raising = new Set<string>()

  constructor(
    private readonly holds: CreditHolds,
    private readonly log: Logger,
  ) {}

  /**
   * Raises the holds of calls that have nearly used theirs up, and ends those that have nothing left. While the
   * database is unreachable, calls continue up to their maximum duration.
   * @returns when that is done; a workspace whose rows are locked does not delay other workspaces' calls
   */
  async check(calls: readonly Watched[]): Promise<void> {
    const now = Date.now()
    const ahead = Math.min(aheadMs, this.holds.seconds * 500)
    const short = calls.filter((one) => one.costAt(new Date(now + ahead)) > one.call.credit_held)
    const until = new Date(now + ahead + this.holds.seconds * 1000)
    const byWorkspace = [...grouped(short, ({ call }) => call.workspace_id)]
    await Promise.all(
      byWorkspace.map(async ([id, some]) => {
        const isKnown = await Promise.race([this.raise(id, some, until), sleep(creditWatchMs, false)])
        if (isKnown) for (const one of some) this.endInTime(one)
      }),
    )
  }

  /** @returns whether the holds of the calls are known now */
  private async raise(workspaceId: string, calls: readonly Watched[], until: Date): Promise<boolean> {
    if (this.raising.has(workspaceId)) return false
    this.raising.add(workspaceId)
    try {
      const wanted = new Map(calls.map((one) => [one.call.id, one.costAt(until)]))
      const held = await this.holds.raise({ id: workspaceId }, wanted)
      for (const { call } of calls) call.credit_held = held.get(call.id) ?? call.credit_held
      return true
    } catch (error) {
      this.log.warn(
        { event: 'credit.hold_failed', err: error, workspace: workspaceId },
        'holding credit for live calls failed',
      )
      return false
    } finally {
      this.raising.delete(workspaceId)
    }
  }

  /**
   * Holds the cost of a call's first leg, if the call was accepted as free.
   * @returns as {@link hold}
   */
  async holdFirst(call: Call, rate: Rate): Promise<boolean> {
    return call.credit_held > 0 || this.hold({ call, costAt: () => 0 }, rate)
  }

  /**
   * Holds the first cost of a further leg.
   * @returns whether there is credit for its first moment within the spend limits
   */
  async hold(one: Pick<Watched, 'call' | 'costAt'>, rate: Rate): Promise<boolean> {
    if (isFree(rate)) return true
    const { call } = one
    const now = Date.now()
    const soon = one.costAt(new Date(now + creditWatchMs))
    const wanted = sumOf([
      one.costAt(new Date(now + this.holds.seconds * 1000)),
      costOf(this.holds.seconds, rate),
    ])
    const workspace = { id: call.workspace_id }
    const held = await this.holds.raiseForLeg(workspace, call.id, wanted)
    if (held === null) return false
    call.credit_held = held
    return sumOf([soon, costOf(1, rate)]) <= call.credit_held
  }

  stop(): void {
    for (const timer of this.ends.values()) clearTimeout(timer)
    this.ends.clear()
  }

  private endInTime(one: Watched): void {
    const { call } = one
    if (this.ends.has(call.id)) return
    const left = paidMs(one)
    const margin = one.increment > 1 ? stepMarginMs : marginMs
    if (left > margin + 2 * creditWatchMs) return
    const timer = setTimeout(
      () => {
        this.ends.delete(call.id)
        // Credit may have been added at the last moment.
        if (paidMs(one) > margin) return
        this.log.info(
          { event: 'credit.used_up', workspace: call.workspace_id, call: call.id },
          'credit used up',
        )
        one.hangUp(refusalCauses.outgoingBarred).catch((error: unknown) => {
          this.log.warn(
            { event: 'credit.call_not_ended', err: error, call: call.id },
            'a call without credit could not be ended',
          )
        })
      },
      Math.max(0, left - margin),
    )
    this.ends.set(call.id, timer)
  }
}

/** Milliseconds, up to a few seconds, that a call may continue on its hold. */
function paidMs(one: Watched): number {
  const now = Date.now()
  const paidAt = (ms: number) => one.costAt(new Date(now + ms)) <= one.call.credit_held
  const most = stepMarginMs + 3 * creditWatchMs
  if (paidAt(most)) return most
  let [paid, unpaid] = [0, most]
  while (unpaid - paid > 10) {
    const middle = Math.floor((paid + unpaid) / 2)
    if (paidAt(middle)) paid = middle
    else unpaid = middle
  }
  return paid
}
