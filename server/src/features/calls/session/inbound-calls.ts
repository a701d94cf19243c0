/** Inbound calls over trunks: from the INVITE that the SIP edge accepted to a running flow, or a rejection. */
import type { EntityManager } from 'typeorm'
import type { FirstHold } from '../model/admission.js'
import { diversionsOf } from '../model/diversions.js'
import type { InboundNumbers } from '../../../adapters/sms/numbers.js'
import type { Logger } from 'pino'
import type { Database } from '../../../infrastructure/database/database.js'
import type { KeptValues } from '../../../lib/kept-values.js'
import { dialledNumber, internationalNumber } from '../../../lib/numbering/e164.js'
import type { PhoneNumberService } from '../../phone-numbers/phone-number.service.js'
import type { Arrival } from '../../../adapters/freeswitch/arrival.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import { displayText } from '../../../adapters/freeswitch/dial-string.js'
import type { Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import { type CallLimits, TooManyCallsError } from '../limits/call-limits.js'
import { type CreditHolds, CannotPayError, noHold } from '../limits/credit-holds.js'
import { anonymous } from '../../../adapters/freeswitch/caller-variables.js'
import { maxCallSeconds } from '../model/call.schema.js'
import { CallSession, type RefusedPlan, type SessionServices } from './call-session.js'
import type { CallStore } from '../model/call-store.js'
import type { Call } from '../model/call.entity.js'
import { firstStatus } from '../model/call-state.js'
import { type InboundNumber, inboundNumber } from '../routing/inbound-number.js'
import type { LiveCall } from './live-call.js'
import { explained } from '../model/no-route.js'
import { newCall } from './outbound-calls.js'
import { type Rate, free } from '../../rates/rating.js'
import type { Rates } from '../../rates/rates.js'
import {
  type CallerVerification,
  type SipRefusal,
  refusalOf,
} from '../../../adapters/stir-shaken/caller-verification.js'
import type { Stir } from '../../../adapters/stir-shaken/stir.js'
import { refuseAtOnce } from './refusal.js'
import { refusalCauses } from '../model/termination.js'
import { newLeg } from '../model/new-leg.js'

export interface InboundCallsOptions {
  /** The cell that this server belongs to. */
  cell: string
  database: Database
  /** Values of a workspace. */
  kept: Pick<KeptValues, 'get'>
  store: CallStore
  switchboard: Switchboard
  phoneNumbers: PhoneNumberService
  limits: CallLimits
  rates: Rates
  stir: Pick<Stir, 'verify'>
  holds: CreditHolds
  log: Logger
}

/** Seconds that a caller may wait unanswered; the SIP edge gives up at 600. */
const unansweredLimit = 590

/** What a call gets: a version of a flow, or a rejection. */
type Plan =
  { versionId: string; flowId: string; maxDuration: number; rate: Rate; hold: FirstHold } | RefusedPlan

/** A rate blocks the number's prefix. */
const barred: RefusedPlan = { refusal: refusalCauses.incomingBarred, why: explained('rate_blocked') }

/** No credit: the carrier has passed the ACL, so it gets 402 rather than what strangers get. */
const unpaid = ({ reason }: CannotPayError): RefusedPlan => ({
  refusal: refusalCauses.incomingBarred,
  answer: { sipCode: 402, phrase: 'Payment Required' },
  why: explained(reason),
})

export class InboundCalls {
  constructor(
    private readonly options: InboundCallsOptions,
    private readonly session: SessionServices,
    private readonly register: (call: LiveCall) => void,
  ) {}

  /** Creates a call from an INVITE, or rejects it; never throws. The INVITE must come from the SIP edge. */
  async take(arrival: Arrival, callId: string): Promise<void> {
    const { switchboard, log } = this.options
    try {
      const numberOf = this.numberOf(arrival)
      const [channel, number, looked] = await Promise.all([
        switchboard.take(arrival, {
          ringLimit: unansweredLimit,
          afterBridge: 'park',
          recoveryVariables: { jackfield_call: callId, jackfield_role: 'caller' },
        }),
        numberOf,
        numberOf.then(async (found) => found && this.lookAt(arrival, found)),
      ])
      if (!channel) return
      if (!number || !looked) await channel.hangUp(refusalCauses.noSuchNumber)
      else if (looked === 'over_rate') await channel.hangUp(refusalCauses.tooManyPerSecond)
      else await this.begin(callId, arrival, number, channel, looked.verification)
    } catch (error) {
      log.error({ event: 'call.inbound_failed', err: error, call: callId }, 'an inbound call failed')
      await switchboard.kill(arrival.channelId, refusalCauses.internal).catch(() => undefined)
    }
  }

  private async numberOf(arrival: Arrival): Promise<InboundNumber | null> {
    const [workspaceId, numberId] = [arrival.header('X-Edge-Workspace'), arrival.header('X-Edge-Number')]
    if (!workspaceId || !numberId) return null
    const { database, kept } = this.options
    return inboundNumber(database, kept, workspaceId, numberId)
  }

  /**
   * `over_rate` if too many of the workspace's calls start in this second, else the result of caller verification; null
   * if calls are not verified.
   */
  private async lookAt(
    arrival: Arrival,
    { number: { id, number, workspace_id: workspace }, spelling }: InboundNumber,
  ): Promise<'over_rate' | { verification: CallerVerification | null }> {
    if ((await this.options.limits.overRate({ id: workspace })) !== null) {
      this.options.log.warn(
        { event: 'call.inbound_rate_exceeded', workspace, number: id },
        'a call is rejected: too many per second',
      )
      return 'over_rate'
    }
    // A withheld number is verified, too; it is shown to no one.
    const caller = callerNumberOf(arrival.header('X-Edge-Caller') ?? '', spelling)
    const numbers = { orig: caller.replace('+', ''), dest: number }
    return { verification: await this.options.stir.verify(arrival.header('X-Edge-Identity'), numbers) }
  }

  private async begin(
    callId: string,
    arrival: Arrival,
    found: InboundNumber,
    channel: Channel,
    verification: CallerVerification | null,
  ): Promise<void> {
    const { store, phoneNumbers } = this.options
    const refused = refusalOf(found.unverifiedCallers, verification)
    if (refused) return this.refuseUnverified(callId, arrival, found, channel, verification, refused)
    const { number } = found
    const { workspace_id: id, number: digits, fee_per_mins_call: fee } = number
    const rate = await this.options.rates.ofCall({ id }, 'inbound_call', digits, fee)
    const plan = rate ? await this.planFor(found, rate) : barred
    const call = callOf(this.options.cell, callId, arrival, found, plan, verification)
    const leg = callerLegOf(call, arrival, channel.id, 'refusal' in plan ? free : plan.rate)
    try {
      // The number works: activate it.
      const isFirst = number.status === 'pending' && !('refusal' in plan)
      const also = isFirst ? async (tx: EntityManager) => phoneNumbers.activate(tx, number) : undefined
      await store.create({ call, leg, hold: 'refusal' in plan ? noHold : plan.hold, also })
    } catch (error) {
      if (error instanceof CannotPayError)
        return refuseAtOnce({ call, leg, channel }, store, barred.refusal, unpaid(error))
      if (!(error instanceof TooManyCallsError)) throw error
      return refuseAtOnce({ call, leg, channel }, store, refusalCauses.tooManyAtOnce)
    }
    const session = new CallSession(call, this.session)
    this.register(session)
    if ('refusal' in plan) {
      session.refuse({ leg, channel }, plan)
      return
    }
    void channel.ring().catch(() => undefined)
    session.begin({ leg, channel })
  }

  private async refuseUnverified(
    callId: string,
    arrival: Arrival,
    found: InboundNumber,
    channel: Channel,
    verification: CallerVerification | null,
    answer: SipRefusal,
  ): Promise<void> {
    const cause = refusalCauses.unverifiedCaller
    const call = callOf(this.options.cell, callId, arrival, found, { refusal: cause }, verification)
    const leg = callerLegOf(call, arrival, channel.id, free)
    return refuseAtOnce({ call, leg, channel }, this.options.store, cause, { answer })
  }

  private async planFor({ number, flowVersionId, isContested }: InboundNumber, rate: Rate): Promise<Plan> {
    const flowId = number.call_flow_id
    if (number.status === 'pending' && isContested) {
      // An inbound call proves no ownership: a squatter would get another workspace's callers.
      this.options.log.warn(
        { event: 'number.pending_called', workspace: number.workspace_id, number: number.number },
        'a call to a pending number of several workspaces is rejected: the operator must activate it or decide whose it is',
      )
      return { refusal: refusalCauses.notInService }
    }
    if (number.status === 'inactive' || !flowId || !flowVersionId)
      return { refusal: refusalCauses.notInService }
    try {
      const { affordable, hold } = await this.options.holds.plan({ id: number.workspace_id }, rate)
      return {
        versionId: flowVersionId,
        flowId,
        maxDuration: Math.min(affordable, maxCallSeconds),
        rate,
        hold,
      }
    } catch (error) {
      if (error instanceof CannotPayError) return unpaid(error)
      throw error
    }
  }
}

function callOf(
  cell: string,
  id: string,
  arrival: Arrival,
  { number, spelling }: InboundNumber,
  plan: Plan,
  caller_verification: CallerVerification | null,
): Call {
  const refused = 'refusal' in plan
  const from = callerNumberOf(arrival.caller.number, spelling)
  const diversions = diversionsOf(
    { diversion: arrival.header('X-Edge-Diversion'), history: arrival.header('X-Edge-History-Info') },
    `+${number.number}`,
    (user) => callerNumberOf(user, spelling),
  )
  return {
    ...newCall(cell),
    id,
    workspace_id: number.workspace_id,
    direction: 'inbound',
    status: refused ? firstStatus.rejected : firstStatus.inbound,
    from_number: from,
    from_name: (from !== anonymous && displayText(arrival.caller.name).slice(0, 64)) || from,
    to_number: `+${number.number}`,
    to_name: number.title,
    phone_number_id: number.id,
    sip_account_id: null,
    agent_id: null,
    max_duration: refused ? maxCallSeconds : plan.maxDuration,
    line: 'caller',
    program: refused ? 'over' : 'flow',
    call_flow_id: refused ? null : plan.flowId,
    call_flow_version_id: refused ? null : plan.versionId,
    script: [],
    caller_verification,
    diversions: diversions.length > 0 ? diversions : null,
  }
}

/** E.164 if the number can be normalised, else as received; carriers format national numbers in many ways. */
function callerNumberOf(text: string, { country, inbound_number_format: format }: InboundNumbers): string {
  const plain = text.replace(/[^0-9A-Za-z+._-]/g, '').slice(0, 64)
  if (!plain || /^(anonymous|unavailable|restricted|unknown)$/i.test(plain)) return anonymous
  const national = format === 'e164' && !plain.startsWith('0') ? null : dialledNumber(plain, country)
  const number =
    plain.startsWith('+') || (format !== 'national' && national === null)
      ? internationalNumber(plain)
      : national
  return number ? `+${number.digits}` : plain
}

function callerLegOf(call: Call, arrival: Arrival, channelId: string, rate: Rate): CallLeg {
  return newLeg(call, {
    ...{ channel_id: channelId, role: 'caller', created_at: call.created_at },
    ...{ number: call.from_number, ...rate, sip_call_id: arrival.sipCallId },
    uri: `sip:${arrival.caller.number}`.replace(/\p{Cc}/gu, '').slice(0, 255),
  })
}
