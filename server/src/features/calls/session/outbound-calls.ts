/** Shared by all calls made over the API: limits, acceptance and idempotency. */
import type { FirstHold } from '../model/admission.js'
import type { EntityManager } from 'typeorm'
import { type Idempotency, KeyReusedError } from '../../../infrastructure/database/idempotency.js'
import { type NewClaim, addJob } from '../../../infrastructure/database/outbox.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { RateLimitError, conflict, forbidden } from '../../../infrastructure/http/errors.js'
import type { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import { type Reached, refusalText } from '../../phone-numbers/allowed-countries.js'
import { type CallLimits, TooManyCallsError } from '../limits/call-limits.js'
import { maxCallSeconds } from '../model/call.schema.js'
import { type CreditHolds, CannotPayError } from '../limits/credit-holds.js'
import type { Reachable } from '../routing/call-routing.js'
import type { CallStore } from '../model/call-store.js'
import type { Call } from '../model/call.entity.js'
import { firstStatus } from '../model/call-state.js'
import { free } from '../../rates/rating.js'
import type { Rates } from '../../rates/rates.js'
import { shortNumberRate, shortNumberReach } from '../routing/short-numbers.js'

/** Kind of the outbox job that places a call. */
export const placeCallJob = 'place_call'

/** An accepted call, and the response to its request. */
export interface AcceptedCall<A> {
  call: Call
  hold: FirstHold
  jobId: string
  answer: A
}

/** Limits of an admitted call. */
interface Admission {
  /** Seconds. */
  mayLast: number
  hold: FirstHold
}

interface Services {
  store: CallStore
  holds: CreditHolds
  limits: CallLimits
  /** @throws 503 while no call may start */
  mayBegin: () => void
  rates: Rates
  idempotency: Idempotency
  /** Places accepted calls. */
  jobs: {
    /** @param cell of the call */
    claimNew(cell: string): NewClaim | null
    /** Has them looked for. */
    wake(): void
  }
  cells: { readonly ofNewCall: string }
}

export class OutboundCalls {
  constructor(private readonly services: Services) {}

  /** The cell of calls that are accepted now. */
  get cell(): string {
    return this.services.cells.ofNewCall
  }

  /**
   * Checks a call that is about to be accepted.
   * @param to the called party; null if a flow decides
   * @returns seconds that it may last, and its first credit hold
   * @throws {CannotPayError} 403 for a blocked country or prefix, 429 over the limit of calls per second
   */
  async admit(workspace: Owner, to: Reachable | null, from: PhoneNumber | null): Promise<Admission> {
    const { limits, holds } = this.services
    const number = to && calledNumberOf(to, from)
    const refusal = number && (await limits.refusalOf(workspace, number))
    if (refusal) throw forbidden(refusalText(refusal, 'call', number))
    const rate = to && from ? await this.rateOf(workspace, to, from) : free
    const plan = await holds.plan(workspace, rate)
    const perSecond = await limits.overRate(workspace)
    if (perSecond !== null) throw new RateLimitError(perSecond, 1, 'calls')
    return { mayLast: Math.min(plan.affordable, maxCallSeconds), hold: plan.hold }
  }

  /** @throws 403 for a blocked prefix */
  private async rateOf(workspace: Owner, to: Reachable, from: PhoneNumber) {
    const { rates, limits } = this.services
    if (to.kind === 'short_number') return shortNumberRate(from)
    if (to.kind !== 'number') return free
    const { digits } = to.number
    const rate = await rates.ofCall(workspace, 'outbound_call', digits, from.fee_per_mins_call)
    if (rate) return rate
    limits.refused(workspace)
    throw forbidden(`The workspace may not call +${digits}: its rates block this prefix`)
  }

  /**
   * Writes a call and the job that places it, once for all requests with one key.
   * @param accept checks the request; not called for a repetition
   * @throws 403 over the limit of concurrent calls, 409 the key was used for another request, 503 while no call may
   * start
   */
  async make<A>(
    workspace: Owner,
    key: string | undefined,
    request: object,
    accept: () => Promise<AcceptedCall<A>>,
  ): Promise<A> {
    const { idempotency, mayBegin } = this.services
    const prepare = async () => {
      mayBegin()
      const accepted = await accept()
      const write = async (remember: (tx: EntityManager) => Promise<void>) => this.write(accepted, remember)
      return { answer: accepted.answer, write }
    }
    try {
      const { answer } = await idempotency.onceWritten(workspace, key, request, prepare)
      return answer
    } catch (error) {
      if (error instanceof TooManyCallsError || error instanceof CannotPayError)
        throw forbidden(error.message)
      if (error instanceof KeyReusedError) throw conflict('This Idempotency-Key was used for another request')
      throw error
    }
  }

  /** This server places a call of its own cell at once, where it can; else any of the cell does. */
  private async write<A>(
    { call, hold, jobId }: AcceptedCall<A>,
    remember: (tx: EntityManager) => Promise<void>,
  ): Promise<void> {
    const { store, jobs } = this.services
    const { created_at, cell } = call
    const job = { id: jobId, workspace_id: '', payload: { call_id: call.id }, created_at }
    const claim = jobs.claimNew(cell)
    const also = async (tx: EntityManager) => {
      await addJob(tx, { ...job, kind: placeCallJob, cell, ...claim?.columns })
      await remember(tx)
    }
    try {
      await store.create({ call, hold, also })
    } catch (error) {
      claim?.drop()
      throw error
    }
    if (claim) claim.begin(job)
    else jobs.wake()
  }
}

/** What the country limits apply to; null inside the workspace. */
function calledNumberOf(to: Reachable, from: PhoneNumber | null): Reached | null {
  if (to.kind === 'short_number') return from && shortNumberReach(from)
  return to.kind === 'number' ? to.number : null
}

/**
 * Columns with the same values for all new calls.
 * @param cell the cell that drives the call
 */
export function newCall(cell: string) {
  return {
    cell,
    status: firstStatus.outbound,
    ...{ client_sub: null, is_video: false },
    ...{ script_revision: 0, script_node: null, pending_script: null },
    ...{ live: 1, created_at: new Date(), answered_at: null, ended_at: null },
    ...{ duration: 0, cost: 0, credit_held: 0, hangup_cause: null, sip_code: null },
    ...{ outcome: null, abandoned_in: null, ended_by: null, answered_leg_id: null, team_id: null },
    ...{
      wait_seconds: null,
      ring_seconds: null,
      talk_seconds: null,
      hold_seconds: null,
      hold_ms: 0,
      held_at: null,
    },
    caller_verification: null,
    diversions: null,
  } as const satisfies Partial<Call>
}
