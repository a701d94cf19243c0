/** Calls from phones: from the INVITE that the SIP edge accepted to a running call, or a rejection. */
import type { EntityManager } from 'typeorm'
import type { FirstHold } from '../model/admission.js'
import type { Route } from '../routing/route.js'
import type { Logger } from 'pino'
import type { Database } from '../../../infrastructure/database/database.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { Arrival } from '../../../adapters/freeswitch/arrival.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import type { AgentClaims } from '../dialling/agent-claims.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import { type CallLimits, TooManyCallsError } from '../limits/call-limits.js'
import { type CreditHolds, CannotPayError, noHold } from '../limits/credit-holds.js'
import type { CallRouting, Destination } from '../routing/call-routing.js'
import { anonymous } from '../../../adapters/freeswitch/caller-variables.js'
import { shownNumber } from '../routing/call-routing.js'
import { type CallAction, maxCallSeconds } from '../model/call.schema.js'
import { CallSession, type SessionServices } from './call-session.js'
import type { CallStore } from '../model/call-store.js'
import type { Call } from '../model/call.entity.js'
import { maxClientAddress } from '../model/client-address.js'
import type { EmergencyCalls } from '../routing/emergency-calls.js'
import { isDialCode, withoutPrefix } from '../routing/dial-codes.js'
import type { LiveCall } from './live-call.js'
import { type Explanation, NoRoute, explained } from '../model/no-route.js'
import { PhoneCall } from './phone-call.js'
import { newCall } from './outbound-calls.js'
import { type Phone, type Phones, phoneColumns } from '../routing/phones.js'
import type { Flows } from '../script/script.js'
import { refuseAtOnce } from './refusal.js'
import { newLeg } from '../model/new-leg.js'
import { isOutside } from '../routing/short-numbers.js'
import { failures, refusalCauses } from '../model/termination.js'

export interface PhoneCallsOptions {
  /** The cell that this server belongs to. */
  cell: string
  database: Database
  store: CallStore
  switchboard: Switchboard
  routing: CallRouting
  phones: Phones
  holds: CreditHolds
  claims: AgentClaims
  limits: CallLimits
  emergency: EmergencyCalls
  /** The country whose dialling rules a workspace's phones follow; null if there is no such workspace. */
  countryOf(workspaceId: string): Promise<string | null>
  /** True if an agent has apps, which ring besides their softphones. */
  hasApps(workspace: Owner, agentId: string): Promise<boolean>
  /** Seconds. */
  ringTimeout: number
  log: Logger
}

/** The route of a call, or why there is none. */
export type Plan =
  | { route: Route; phoneNumberId: string | null; maxDuration: number; hold: FirstHold }
  /** A call flow runs on the caller's channel. */
  | { flow: DialledFlow; phoneNumberId: null; maxDuration: number }
  /** A script on the caller's channel dials a team, or an agent on all devices. */
  | { script: CallAction[]; phoneNumberId: null; maxDuration: number }
  | { refusal: string; why?: Explanation }

type DialledFlow = NonNullable<Awaited<ReturnType<Flows['atDialCode']>>>

/** Seconds that the switch waits beyond the ring time before it gives up on its own. */
const ringGraceSeconds = 30

/** Forbidden: SIP 403. */
const barred = { refusal: refusalCauses.outgoingBarred }

/** No gateway takes the emergency call: SIP 503, so that the phone tries another line of its own. */
const unserved = { refusal: refusalCauses.noGateway }

/** Concurrent emergency calls of one account: as many as it has phones. */
const mostEmergencyCalls = 10

export class PhoneCalls {
  /** SIP accounts and agents of calls that are about to run, by call id. */
  private readonly beginning = new Map<string, string>()

  constructor(
    private readonly options: PhoneCallsOptions,
    private readonly session: SessionServices,
    private readonly running: ReadonlyMap<string, LiveCall>,
    private readonly register: (call: LiveCall) => void,
  ) {}

  /** Creates a call from an INVITE, or rejects it; never throws. The INVITE must come from the SIP edge. */
  async take(arrival: Arrival, callId: string): Promise<void> {
    const { switchboard, ringTimeout, log } = this.options
    try {
      const channel = await switchboard.take(arrival, {
        ringLimit: ringTimeout + ringGraceSeconds,
        afterBridge: 'hangup',
        recoveryVariables: { jackfield_call: callId, jackfield_role: 'caller' },
      })
      if (!channel) return
      const phone = await this.callerOf(arrival)
      if (phone) await this.admit(callId, arrival, phone, channel)
      else {
        log.warn(
          { event: 'phone_call.unknown_account', source: arrival.source },
          'a call is rejected: no SIP account or agent made it',
        )
        await channel.hangUp(refusalCauses.incomingBarred)
      }
    } catch (error) {
      log.error({ event: 'phone_call.failed', err: error, call: callId }, 'a call of a phone failed')
      await switchboard.kill(arrival.channelId, refusalCauses.internal).catch(() => undefined)
    }
  }

  /** How to reach what a phone dialled. */
  private async plan(
    phone: Phone,
    destination: Destination | null,
    { dialled, isWithheld }: Arrival,
  ): Promise<Plan> {
    const flow = isDialCode(dialled)
      ? await this.session.flows.atDialCode({ id: phone.workspace_id }, dialled)
      : null
    if (flow) return { flow, phoneNumberId: null, maxDuration: maxCallSeconds }
    const script = destination && (await this.scriptTo({ id: phone.workspace_id }, destination))
    if (script) return { script, phoneNumberId: null, maxDuration: maxCallSeconds }
    return this.directPlan(phone, destination, isWithheld)
  }

  /**
   * A route that the switch bridges by itself.
   * @returns why it may not be called
   */
  async directRoute(
    phone: Phone,
    destination: Extract<Destination, { kind: 'phone' | 'number' | 'short_number' }>,
    isWithheld: boolean,
  ): Promise<{ route: Route; from: PhoneNumber | null } | NoRoute> {
    const { routing } = this.options
    if (destination.kind === 'phone')
      return { route: routing.routeBetween(phone, destination.phone, isWithheld), from: null }
    const from = await routing.outboundNumberOf(phone)
    const route = await routing.route({ id: phone.workspace_id }, from, destination)
    return route instanceof NoRoute ? route : { route: { ...route, isWithheld }, from }
  }

  private async directPlan(
    phone: Phone,
    destination: Destination | null,
    isWithheld: boolean,
  ): Promise<Plan> {
    if (!destination) return { refusal: refusalCauses.noSuchNumber }
    if (destination.kind !== 'phone' && !isOutside(destination)) {
      return { refusal: refusalCauses.notInService }
    }
    const found = await this.directRoute(phone, destination, isWithheld)
    if (found instanceof NoRoute) return { ...barred, why: found.explanation }
    const { route, from } = found
    if (!from) return { route, phoneNumberId: null, maxDuration: maxCallSeconds, hold: noHold }
    try {
      const { affordable, hold } = await this.options.holds.plan({ id: phone.workspace_id }, route.rate)
      return { route, phoneNumberId: from.id, maxDuration: Math.min(affordable, maxCallSeconds), hold }
    } catch (error) {
      if (error instanceof CannotPayError) return { ...barred, why: explained(error.reason) }
      throw error
    }
  }

  /** Null if a single leg from phone to phone is enough. */
  private async scriptTo(workspace: Owner, destination: Destination): Promise<CallAction[] | null> {
    const { ringTimeout } = this.options
    if (destination.kind === 'team') {
      return [
        { action: 'connect_team', params: { team_id: destination.teamId }, continue: false },
        // The caller need not know which members were unreachable, and why.
        { action: 'hangup', params: { cause: failures.noAnswer.hangupCause } },
      ]
    }
    if (destination.kind === 'voice_agent') {
      const params = { voice_agent_id: destination.voiceAgentId }
      return [{ action: 'connect_voice_agent', params, continue: false }]
    }
    if (destination.kind === 'client') {
      const params = { sub: destination.sub, timeout: ringTimeout }
      return [{ action: 'connect_client', params, continue: false }]
    }
    if (destination.kind !== 'phone' || destination.phone.kind !== 'agent') return null
    const { id } = destination.phone
    if (!(await this.options.hasApps(workspace, id))) return null
    return [{ action: 'connect_agent', params: { agent_id: id, timeout: ringTimeout }, continue: false }]
  }

  /** The SIP account or agent that the SIP edge has authenticated. */
  private async callerOf(arrival: Arrival): Promise<Phone | null> {
    const [workspaceId, accountId] = [arrival.header('X-Edge-Workspace'), arrival.header('X-Edge-Account')]
    return workspaceId && accountId ? this.options.phones.find({ id: workspaceId }, accountId) : null
  }

  /** Starts a call, unless its phone or workspace is over the limit of calls per second or concurrent calls. */
  private async admit(callId: string, arrived: Arrival, phone: Phone, channel: Channel): Promise<void> {
    const arrival = withoutPrefix(arrived)
    const { limits, emergency, log } = this.options
    const digits = await emergency.dialled(phone, arrival.dialled)
    if (digits !== null) return this.callEmergency(callId, { ...arrival, dialled: digits }, phone, channel)
    const source = { workspace: phone.workspace_id, account: phone.id }
    if ((await limits.overRate({ id: phone.workspace_id })) !== null) {
      log.warn({ event: 'phone_call.rate_exceeded', ...source }, 'a call is rejected: too many per second')
      return channel.hangUp(refusalCauses.tooManyPerSecond)
    }
    if (this.callsOf(phone) >= limits.maxOfAccount(phone.max_concurrent_calls)) {
      log.warn(
        { event: 'phone_call.account_busy', ...source },
        'a call is rejected: too many of one SIP account',
      )
      return channel.hangUp(refusalCauses.tooManyAtOnce)
    }
    this.beginning.set(callId, phone.id)
    try {
      await this.begin(callId, arrival, phone, channel)
    } finally {
      this.beginning.delete(callId)
    }
  }

  /** Number of calls on this server that phones of a SIP account or agent made. */
  private callsOf(phone: Phone): number {
    const beginning = [...this.beginning.values()].filter((id) => id === phone.id)
    const running = [...this.running.values()].filter(
      ({ call }) => (call.sip_account_id ?? call.agent_id) === phone.id,
    )
    return beginning.length + running.length
  }

  private async begin(callId: string, arrival: Arrival, phone: Phone, channel: Channel): Promise<void> {
    const { store, switchboard, routing, claims, ringTimeout } = this.options
    const workspace = { id: phone.workspace_id }
    const country = (await this.options.countryOf(workspace.id)) ?? ''
    const destination = await routing.findDialled(workspace, arrival, country)
    const plan = await this.plan(phone, destination, arrival)
    const call = callOf(this.options.cell, callId, phone, arrival, destination, plan)
    const leg = callerLegOf(call, phone, channel, arrival)
    try {
      const hold = 'hold' in plan ? plan.hold : noHold
      await store.create({ call, leg, hold })
    } catch (error) {
      if (error instanceof CannotPayError)
        return refuseAtOnce({ call, leg, channel }, store, barred.refusal, { why: explained(error.reason) })
      if (!(error instanceof TooManyCallsError)) throw error
      return refuseAtOnce({ call, leg, channel }, store, refusalCauses.tooManyAtOnce)
    }
    if (!channel.end) claims.hold(leg)
    if ('script' in plan || 'flow' in plan) {
      await switchboard.drive(channel)
      const session = new CallSession(call, this.session)
      this.register(session)
      session.begin({ leg, channel })
      return
    }
    const session = new PhoneCall(call, { leg, channel }, this.session)
    this.register(session)
    if ('refusal' in plan) session.refuse(plan.refusal, plan.why)
    else session.connect(plan.route, ringTimeout)
  }

  /** Starts an emergency call: limits of calls, rates and credit do not apply. */
  private async callEmergency(
    callId: string,
    arrival: Arrival,
    phone: Phone,
    channel: Channel,
  ): Promise<void> {
    const { cell, store, emergency, claims, log, ringTimeout } = this.options
    const isSame = ({ call }: LiveCall) =>
      call.to_number === arrival.dialled && (call.sip_account_id ?? call.agent_id) === phone.id
    if ([...this.running.values()].filter(isSame).length >= mostEmergencyCalls) {
      log.warn(
        { event: 'phone_call.emergency_rejected', workspace: phone.workspace_id, account: phone.id },
        'an emergency call is rejected: too many of one account',
      )
      return channel.hangUp(refusalCauses.tooManyAtOnce)
    }
    const found = await emergency.route(phone, arrival.dialled)
    const plan: Plan =
      found instanceof NoRoute
        ? { ...unserved, why: found.explanation }
        : { ...found, phoneNumberId: found.from?.id ?? null, maxDuration: maxCallSeconds, hold: noHold }
    const call = callOf(cell, callId, phone, { ...arrival, isWithheld: false }, null, plan)
    const leg = callerLegOf(call, phone, channel, arrival)
    const from = found instanceof NoRoute ? null : found.from
    const also = async (tx: EntityManager) => emergency.report(tx, call, phone, from)
    await store.create({ call, leg, hold: noHold, isEmergency: true, also })
    if (!channel.end) claims.hold(leg)
    const session = new PhoneCall(call, { leg, channel }, this.session)
    this.register(session)
    if ('route' in plan)
      session.connect({ ...plan.route, unreached: () => emergency.failed(call, phone) }, ringTimeout)
    else {
      emergency.failed(call, phone)
      session.refuse(unserved.refusal, 'why' in plan ? plan.why : undefined)
    }
  }
}

function callOf(
  cell: string,
  id: string,
  phone: Phone,
  { dialled, isWithheld }: Arrival,
  destination: Destination | null,
  plan: Plan,
): Call {
  const number =
    destination?.kind === 'number'
      ? `+${destination.number.digits}`
      : (destination?.dialled ?? dialled).replace(/\p{Cc}/gu, '').slice(0, maxClientAddress)
  const flow = 'flow' in plan ? plan.flow : null
  const name = destination && destination.kind !== 'number' ? destination.name : (flow?.title ?? number)
  const planned = 'refusal' in plan ? { phoneNumberId: null, maxDuration: maxCallSeconds } : plan
  return {
    ...newCall(cell),
    id,
    workspace_id: phone.workspace_id,
    direction: 'outbound',
    // The caller is known from the call's account or agent.
    from_number: isWithheld ? anonymous : shownNumber(phone),
    from_name: isWithheld ? anonymous : phone.title,
    to_number: number,
    to_name: name,
    phone_number_id: planned.phoneNumberId,
    ...phoneColumns(phone),
    max_duration: planned.maxDuration,
    ...('script' in plan
      ? { line: 'caller', program: 'script', script: plan.script }
      : { line: flow && 'caller', program: flow ? 'flow' : 'over', script: [] }),
    ...{ call_flow_id: flow?.flowId ?? null, call_flow_version_id: flow?.versionId ?? null },
  }
}

function callerLegOf(call: Call, phone: Phone, { id: channelId }: Channel, arrival: Arrival): CallLeg {
  return newLeg(call, {
    ...{ channel_id: channelId, role: 'caller', created_at: call.created_at },
    sip_call_id: arrival.sipCallId,
    ...{ number: shownNumber(phone), uri: `sip:${phone.username}@${phone.domain}` },
    ...phoneColumns(phone),
  })
}
