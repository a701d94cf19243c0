/** Reaching somebody: the addresses of a route one after another, until one answers or speaks a final word. */
import type { Channel } from '../switch/channel.js'
import type { ChannelEnd } from '../switch/channel-end.js'
import { SwitchDownError } from '../switch/errors.js'
import { type DialFailure, isFinal } from '../switch/hangup-causes.js'
import { type OnFailure, isRedirect, refusesMedia } from '../switch/redirects.js'
import type { Codec, DialRequest, MediaEncryption, Switchboard } from '../switch/switchboard.js'
import type { AgentClaims } from './agent-claims.js'
import { type AppRoute, appsOf } from './apps/app-route.js'
import { AudioFarEndLeg, type AudioRoute, audioLegOf } from './audio-route.js'
import type { People } from './apps/people.js'
import type { CallLeg, LegRole } from './call-leg.entity.js'
import { CallGoneError, type CallStore } from './call-store.js'
import type { Call } from './call.entity.js'
import type { CallRouting, Route, RouteTarget } from './call-routing.js'
import { verstatOf } from '../stir/caller-verification.js'
import type { Stir } from '../stir/stir.js'
import { topics } from '../telemetry.js'
import { phoneColumns } from './phones.js'
import { newLeg } from './new-leg.js'

export interface HuntOptions {
  role: LegRole
  callerName: string
  /** Seconds for the whole hunt. */
  ringTimeout: number
  /** Seconds after the answer. */
  maxDuration: number
  afterBridge: 'park' | 'hangup'
  signal: AbortSignal
  /** The address to begin with: those before it were tried by an earlier process. */
  first?: number
  /** A caller that waits unanswered, and hears what the far end does. */
  caller?: Channel
  /** Set when somebody hands the call over to whom it rings. */
  transfer?: { reason: string | null }
  /** What is offered, in place of what suits the route. */
  codecs?: readonly Codec[]
  onDialed?: (leg: CallLeg, channel: Channel) => void
  /** Somebody outside the workspace is heard before they answer: the caller can hear it in the place of a ringback. */
  onEarlyMedia?: (channel: Channel) => void
  onRinging?: (sipCode: number, at: Date) => void
}

/** Somebody answered. */
export interface Reached {
  leg: CallLeg
  channel: Channel
  /** The caller has heard them before the answer, and hears them on. */
  isJoined?: boolean
}

/** Nobody was reached. */
export class DialFailedError extends Error {
  constructor(
    readonly failure: DialFailure,
    readonly endedAt: Date,
  ) {
    super(`not reached: ${failure.hangupCause}`)
  }
}

/** The reason to abort a hunt with when somebody else has answered: the phone is told so, and shows no missed call. */
export const lostRace = 'LOSE_RACE'

/** Of an agent who has a call already, or takes none: nothing of theirs rings. */
export const agentBusy: DialFailure = { hangupCause: 'USER_BUSY', sipCode: 486 }

/** A leg is cancelled again after this: before the switch has made its channel, that is lost. */
const cancelAgainMs = 300

/** Time for the switch to report the end of a leg whose ring time is over, in milliseconds. */
const graceMs = 10_000

export class Hunt {
  constructor(
    private readonly store: CallStore,
    private readonly switchboard: Switchboard,
    private readonly claims: AgentClaims,
    private readonly people: People,
    private readonly stir: Pick<Stir, 'sign'>,
    private readonly routing: Pick<CallRouting, 'forwarded'>,
    /** The edge's private address, `host:port`: of several the one that lives. */
    private readonly proxy: () => string,
  ) {}

  /**
   * Calls the addresses of a route, and where it leads to a person all their apps at the same time.
   * @throws {DialFailedError} nobody answered, {@link SwitchDownError} the link was lost meanwhile
   */
  async reach(call: Call, route: Route, options: HuntOptions): Promise<Reached> {
    if (route.audio) return this.reachAudio(call, route, route.audio, options)
    const to = appsOf(route)
    if (!to) return this.reachAddresses(call, route, options)
    const release = await this.claim(call, to)
    if (!release) throw new DialFailedError(agentBusy, new Date())
    try {
      await this.people.admit(call, to)
      // Who waits for the switch's own connection hears only what that calls.
      if (options.caller) return await this.reachAddresses(call, route, options)
      return await this.people.reach({
        ...{ call, route, to, options },
        overPhone:
          route.targets.length === 0
            ? null
            : async (signal) => this.reachAddresses(call, route, { ...options, signal }),
        drop: (reached) => this.drop(reached),
      })
    } finally {
      release()
    }
  }

  /** Calls the addresses of a route alone, wherever it leads. @throws as {@link reach} */
  async reachPhone(call: Call, route: Route, options: HuntOptions): Promise<Reached> {
    return this.reachAddresses(call, route, options)
  }

  /** Keeps others from ringing an agent at the same time. @returns null when somebody does, or the agent has a call */
  private async claim({ id }: Call, { person, isExpected }: AppRoute): Promise<(() => void) | null> {
    if (person.kind !== 'agent' || isExpected) return () => undefined
    return this.claims.claim(person.sub, id)
  }

  private drop({ leg, channel }: Reached): void {
    const ended = (end: ChannelEnd) => void this.store.legEnded(leg, end).catch(() => undefined)
    channel.once('ended', ended)
    if (channel.end) ended(channel.end)
    void channel.hangUp(lostRace).catch(() => undefined)
  }

  private async reachAddresses(call: Call, route: Route, options: HuntOptions): Promise<Reached> {
    const until = Date.now() + options.ringTimeout * 1000
    let failure: DialFailure = { hangupCause: 'NO_ROUTE_DESTINATION', sipCode: null }
    let endedAt = new Date()
    const { first = 0 } = options
    const [offer, otherOffer] = offersOf(route)
    const ways: Way[] = route.targets.slice(first).map((target) => ({ target, offer, otherOffer }))
    let isRetry = first > 0
    for (let way = ways.shift(); way; way = ways.shift()) {
      const { target } = way
      const secondsLeft = Math.ceil((until - Date.now()) / 1000)
      if (secondsLeft <= 0 || options.signal.aborted) break
      const leg = newLeg(call, {
        channel_id: this.switchboard.newChannelId(),
        ...{ role: options.role, number: route.number, uri: uriOf(route, target) },
        ...{ gateway_id: route.gatewayId, ...route.rate },
        ...(route.phone && phoneColumns(route.phone)),
      })
      this.claims.hold(leg)
      await this.store.addLeg(leg, isRetry).catch((error: unknown) => {
        this.claims.release(leg.channel_id)
        if (error instanceof CallGoneError && options.signal.aborted)
          throw new DialFailedError({ hangupCause: 'ORIGINATOR_CANCEL', sipCode: null }, new Date())
        throw error
      })
      const request: DialRequest = {
        channelId: leg.channel_id,
        target: { ...dialTargetOf(target), proxy: this.proxy() },
        callerId: {
          ...{ ...route.caller, ...route.shownAs, name: options.callerName, ...verstat(call, route) },
          ...(route.isWithheld && { isWithheld: true }),
        },
        codecs: options.codecs ?? codecsFor(route, options.caller),
        encryption: way.offer,
        headers: {
          ...route.headers,
          ...this.identity(route, leg),
          ...(target.nextHop !== undefined && { 'X-Edge-Next-Hop': target.nextHop }),
        },
        credential: route.credential,
        ringTimeout: secondsLeft,
        maxDuration: options.maxDuration,
        afterBridge: options.afterBridge,
        // Of phones several may ring at once.
        earlyMedia: options.onEarlyMedia !== undefined && route.phone === null,
        marks: { jackfield_call: call.id, jackfield_role: options.role },
      }
      const channel = options.caller
        ? this.switchboard.dialFor(options.caller, request, onFailureOf(route, way, ways.length === 0))
        : this.switchboard.dial(request)
      options.onDialed?.(leg, channel)
      if (request.earlyMedia) channel.once('early', () => options.onEarlyMedia?.(channel))
      let ringingAt: Date | null = null
      channel.once('ringing', (_sipCode, at) => {
        ringingAt = at
        topics.legRinging.tell({ seconds: Math.max(0, at.getTime() - leg.created_at.getTime()) / 1000 })
      })
      const end = await this.outcome(channel, secondsLeft, options)
      tellTried(leg, ringingAt, end)
      if (!end) {
        target.answered?.()
        return { leg, channel }
      }
      await this.store.legEnded(leg, end)
      failure = end
      endedAt = end.endedAt
      if (route.phone && isRedirect(end.sipCode)) {
        const next = await this.forwarded(call, route, end)
        const ringTimeout = Math.ceil((until - Date.now()) / 1000)
        if (next && ringTimeout > 0 && !options.signal.aborted)
          return this.reach(call, next, { ...options, ringTimeout, first: 0 })
        failure = await this.sentAway(options)
      }
      isRetry = true
      if (way.otherOffer && refusesMedia(end.sipCode)) ways.unshift({ target, offer: way.otherOffer })
      else if (isFinal(end)) break
    }
    throw new DialFailedError(failure, endedAt)
  }

  /** Where a phone sends its calls, within the workspace. */
  private async forwarded({ workspace_id: id }: Call, route: Route, end: ChannelEnd): Promise<Route | null> {
    if (end.forwardedTo === undefined) return null
    return this.routing.forwarded({ id }, route, end.forwardedTo)
  }

  /** Of a phone that forwards its calls to where they may not go: its person does not take them. */
  private async sentAway({ caller }: Pick<HuntOptions, 'caller'>): Promise<DialFailure> {
    // Else the caller would be told the 410 of the edge.
    await caller?.forgetFailure()
    return { hangupCause: 'NO_ANSWER', sipCode: 480 }
  }

  /** Who calls, signed for this leg alone: its time is that of the INVITE, and its origin leads back to the leg. */
  private identity({ attestation: attest, caller, number }: Route, { channel_id: origid }: CallLeg) {
    if (!attest) return {}
    const claims = { attest, origid, orig: caller.user.replace('+', ''), dest: [number] }
    const signature = this.stir.sign(claims)
    // The edge makes it the header Identity: a header of that name the switch would send twice.
    return signature === undefined ? {} : { 'X-Edge-Identity': signature }
  }

  private async reachAudio(
    call: Call,
    route: Route,
    audio: AudioRoute,
    options: HuntOptions,
  ): Promise<Reached> {
    const leg = audioLegOf(call, route, audio, options.role, this.switchboard.newChannelId())
    await this.store.addLeg(leg)
    const far = new AudioFarEndLeg(call, leg, audio, options.signal)
    const channel = this.switchboard.dialAudio(
      {
        ...{ channelId: leg.channel_id, sampleRate: audio.sampleRate },
        ...{ ringTimeout: options.ringTimeout, maxDuration: options.maxDuration },
        afterBridge: options.afterBridge,
        marks: { jackfield_call: call.id, jackfield_role: options.role },
      },
      (offer) => void far.answer(offer),
    )
    far.follow(channel)
    options.onDialed?.(leg, channel)
    const end = await this.outcome(channel, options.ringTimeout, options)
    if (!end) {
      far.begin(channel)
      return { leg, channel }
    }
    await this.store.legEnded(leg, end)
    throw new DialFailedError(end, end.endedAt)
  }

  /** Waits on a leg that an earlier process dialled. @throws as {@link reach}, for this one leg */
  async await(leg: CallLeg, channel: Channel, options: HuntOptions): Promise<Reached> {
    const end = await this.outcome(channel, options.ringTimeout, options)
    if (!end) return { leg, channel }
    await this.store.legEnded(leg, end)
    const isForwarded = (leg.sip_account_id ?? leg.agent_id) !== null && isRedirect(end.sipCode)
    throw new DialFailedError(isForwarded ? await this.sentAway(options) : end, end.endedAt)
  }

  /** Null when answered. */
  private async outcome(
    channel: Channel,
    seconds: number,
    { signal, onRinging }: Pick<HuntOptions, 'signal' | 'onRinging'>,
  ): Promise<ChannelEnd | null> {
    return new Promise((resolve, reject) => {
      let again: NodeJS.Timeout | undefined
      const cancel = () => {
        const cause = signal.reason === lostRace ? lostRace : 'ORIGINATOR_CANCEL'
        void channel.hangUp(cause).catch(() => undefined)
        again = setTimeout(cancel, cancelAgainMs)
      }
      const timer = setTimeout(
        () => {
          void channel.hangUp('NO_ANSWER').catch(() => undefined)
          settle(() =>
            resolve({ hangupCause: 'NO_ANSWER', sipCode: null, answeredAt: null, endedAt: new Date() }),
          )
        },
        seconds * 1000 + graceMs,
      )
      const settle = (result: () => void) => {
        clearTimeout(timer)
        clearTimeout(again)
        signal.removeEventListener('abort', cancel)
        result()
      }
      if (onRinging) channel.on('ringing', onRinging)
      channel.once('answered', () => settle(() => resolve(null)))
      channel.once('ended', (end) => settle(() => resolve(end)))
      channel.once('abandoned', () => settle(() => reject(new SwitchDownError())))
      signal.addEventListener('abort', cancel)
      if (signal.aborted) cancel()
      if (channel.state === 'answered') settle(() => resolve(null))
      const { end: ended } = channel
      if (ended) settle(() => resolve(ended))
    })
  }
}

/** One address of a route, and what is offered there. */
interface Way {
  target: RouteTarget
  offer: MediaEncryption
  /** Offered to who refuses the first. */
  otherOffer?: MediaEncryption | undefined
}

/** What is offered, and after a refusal of that. The edge knows what a phone takes, and has learnt it by then. */
function offersOf({ phone, encryption = 'none' }: Route): [MediaEncryption, MediaEncryption?] {
  if (phone) return ['optional', 'optional']
  return encryption === 'optional' ? ['required', 'none'] : [encryption]
}

/**
 * Whether the caller ends with a leg that fails, also while no server is there. A phone may forward the call, and may take
 * another offer.
 */
function onFailureOf({ phone }: Route, { otherOffer }: Way, isLast: boolean): OnFailure {
  if (!isLast) return 'go_on'
  if (phone) return otherOffer ? 'go_on_if_called_again' : 'go_on_if_forwarded'
  return otherOffer ? 'go_on' : 'end'
}

/** Whether the number that a phone shows is the caller's: of a call that came in, and was looked at. */
function verstat({ caller_verification, from_number }: Call, { phone, caller }: Route) {
  if (!phone || !caller_verification || caller.user !== from_number || !from_number.startsWith('+')) return {}
  return { verstat: verstatOf[caller_verification.status] }
}

function tellTried(leg: CallLeg, ringingAt: Date | null, failure: ChannelEnd | null): void {
  const { id: legId, call_id: callId, gateway_id: gatewayId, created_at: createdAt } = leg
  topics.legTried.tell({ ...{ callId, legId, gatewayId, createdAt, ringingAt }, at: new Date(), failure })
}

function dialTargetOf({ nextHop: _, answered: __, server: ___, requestHost, ...target }: RouteTarget) {
  return requestHost === undefined ? target : { ...target, host: requestHost, port: null }
}

/** What a leg is known by: a gateway's address, or a SIP URI. */
function uriOf({ gatewayId }: Route, { user, host, port, transport, server }: RouteTarget): string {
  const at = port === null ? host : `${host}:${port}`
  return gatewayId === null ? `sip:${user}@${at}` : `${server ?? at};${transport}`
}

/** Carriers are offered what all of them speak; phones what their caller speaks first, so that nothing is translated. */
function codecsFor(route: Route, caller: Channel | undefined): readonly Codec[] {
  if (!route.phone) return ['PCMU', 'PCMA']
  return caller?.speaksOpus ? ['OPUS', 'PCMU', 'PCMA'] : ['PCMU', 'PCMA', 'OPUS']
}
