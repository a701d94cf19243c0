/** Rings a user for a call: all registered softphones and all apps at once. The first answer wins. */
import type { UserRequest, UserRinger } from '../dialling/user-ringer.js'
import type { AppUser } from '../model/app-user.js'
import type { RouteDialOptions } from '../dialling/dial-options.js'
import { DialFailedError, type AnsweredLeg, lostRace } from '../model/answered-leg.js'
import type { AppRoute } from '../routing/route.js'
import type { Route } from '../routing/route.js'
import type { RegisteredSoftphones } from '../../agents/registered-softphones.js'
import { SwitchDownError } from '../../../adapters/freeswitch/errors.js'
import type { DialFailure } from '../../../adapters/freeswitch/hangup-causes.js'
import type { SwitchLink } from '../../../adapters/freeswitch/switch-link.js'
import type { Call } from '../model/call.entity.js'
import type { AgentReachability } from '../dialling/agent-reachability.js'
import { type IncomingCallNotifier, type IncomingCallNotice, noticeOf } from './incoming-call-notifier.js'
import { type ClientLegEnd, failures } from '../model/termination.js'
import { IncomingCall, type IncomingCallServices } from './incoming-call.js'
import type { IncomingCalls } from './incoming-calls.js'

interface Services {
  readonly incomingCalls: IncomingCalls
  readonly ring: IncomingCallServices
  readonly notifier: IncomingCallNotifier
  readonly reachability: AgentReachability
  readonly softphones: Pick<RegisteredSoftphones, 'addressOf'>
  readonly link: Pick<SwitchLink, 'on' | 'off'>
}

/** How ringing a user ends. */
type Outcome = { reached: AnsweredLeg } | { failure: DialFailure; reason: ClientLegEnd }

const noAnswer: Outcome = { failure: failures.noAnswer, reason: 'timeout' }
const rejected: Outcome = { failure: failures.agentBusy, reason: 'rejected' }

/** A softphone answers these for the user, not for itself (RFC 3261, section 21.6). */
const declinedEverywhere = new Set([600, 603])

export class UserDialer implements UserRinger {
  /** Notices of the users who are being rung. */
  private readonly notices = new Set<IncomingCallNotice>()

  constructor(private readonly services: Services) {}

  /** The first stream of a user has opened: sends the notices of calls that already ring. */
  came(workspaceId: string, { kind, sub }: AppUser): void {
    for (const notice of this.notices) {
      const { workspace_id, person } = notice
      if (workspace_id === workspaceId && person.kind === kind && person.sub === sub) {
        this.services.notifier.ringStreams(notice)
      }
    }
  }

  /** @throws {DialFailedError} the agent takes no calls */
  async admit(call: Call, { person, isExpected }: AppRoute): Promise<void> {
    if (person.kind !== 'agent' || isExpected) return
    const refusal = await this.services.reachability.refusalOf({ id: call.workspace_id }, person.sub)
    if (refusal)
      throw new DialFailedError(refusal === 'busy' ? failures.agentBusy : failures.offline, new Date())
  }

  /** @throws {DialFailedError} no answer, {@link SwitchDownError} the connection to the switch was lost meanwhile */
  async dial(request: UserRequest): Promise<AnsweredLeg> {
    const { call, to, options, overPhone } = request
    const { softphones, reachability } = this.services
    const workspace = { id: call.workspace_id }
    if (!reachability.mayComeBack(call) && !(await this.hasApps(call, to))) {
      // With no apps to ring, use the registrar's answer (480).
      if (overPhone) return overPhone(options.signal)
      throw new DialFailedError(failures.offline, new Date())
    }
    const isRegistered = overPhone && (await softphones.addressOf(workspace, to.person.sub))
    return this.ring({ ...request, overPhone: isRegistered ? overPhone : null })
  }

  private async hasApps(call: Call, { isExpected, person }: AppRoute): Promise<boolean> {
    return isExpected || this.services.reachability.hasApps({ id: call.workspace_id }, person)
  }

  private async ring({ call, route, to, options, overPhone, drop }: UserRequest): Promise<AnsweredLeg> {
    const { incomingCalls, notifier } = this.services
    const ring = this.ringFor(call, route, to, options)
    const close = incomingCalls.add(ring)
    const notice = to.isExpected ? null : noticeOf(call, to.person, options)
    if (notice) {
      this.notices.add(notice)
      notifier.ring(notice)
      options.onRinging?.(180, new Date())
    }
    const stop = new AbortController()
    const phone = overPhone?.(AbortSignal.any([options.signal, stop.signal]))
    let outcome: Outcome | undefined
    try {
      const othersRing = async () => ring.hasClientLegs || this.hasApps(call, to)
      outcome = await this.first(ring, options.signal, phone, othersRing)
    } finally {
      close()
      if (notice) this.notices.delete(notice)
      if (!outcome) ring.abandon()
    }
    const reached = 'reached' in outcome ? outcome.reached : null
    const reason = 'reached' in outcome ? 'answered_elsewhere' : outcome.reason
    stop.abort(reached ? lostRace : undefined)
    if (notice) notifier.cancel(notice, reason, ring.answeredBy)
    const others = Promise.all([
      ring.end(reason, reached?.channel),
      phone && releaseLeg(phone, reached, drop),
    ])
    if ('reached' in outcome) return outcome.reached
    // The same user may be rung by the next step of the script, and must be free by then.
    await others
    throw new DialFailedError(outcome.failure, new Date())
  }

  private ringFor(
    call: Call,
    route: Route,
    { person, mode }: AppRoute,
    options: RouteDialOptions,
  ): IncomingCall {
    const { role, maxDuration, afterBridge, onDialed } = options
    return new IncomingCall(
      {
        ...{ call, person, mode, role, number: route.number, maxDuration, afterBridge, onDialed },
        until: Date.now() + options.ringTimeout * 1000,
        offer: { from_avatar: null, transfer_reason: options.transfer?.reason ?? null },
      },
      this.services.ring,
    )
  }

  /** @throws {SwitchDownError} */
  private async first(
    ring: IncomingCall,
    signal: AbortSignal,
    phone: Promise<AnsweredLeg> | undefined,
    othersRing: () => Promise<boolean>,
  ): Promise<Outcome> {
    const { link } = this.services
    let forget = () => {}
    try {
      return await new Promise<Outcome>((resolve, reject) => {
        const timer = setTimeout(() => resolve(noAnswer), ring.request.until - Date.now())
        const aborted = () => resolve(abortedBy(signal))
        const down = () => reject(new SwitchDownError())
        signal.addEventListener('abort', aborted)
        if (signal.aborted) aborted()
        link.on('down', down)
        forget = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', aborted)
          link.off('down', down)
        }
        void ring.outcome.then((found) => resolve(found === 'rejected' ? rejected : { reached: found }))
        phone
          ?.then((reached) => resolve({ reached }))
          .catch(async (error: unknown) => {
            if (!(error instanceof DialFailedError)) throw error
            const { failure } = error
            if (declinedEverywhere.has(failure.sipCode ?? 0)) resolve({ failure, reason: 'rejected' })
            else if (!(await othersRing())) resolve({ failure, reason: 'timeout' })
          })
          .catch(reject)
      })
    } finally {
      forget()
    }
  }
}

function abortedBy(signal: AbortSignal): Outcome {
  const isLost = signal.reason === lostRace
  const failure = isLost ? failures.answeredElsewhere : failures.canceled
  return { failure, reason: isLost ? 'answered_elsewhere' : 'caller_hangup' }
}

/** Waits until the softphones have stopped ringing; hangs up one that answered too late. */
async function releaseLeg(
  phone: Promise<AnsweredLeg>,
  winner: AnsweredLeg | null,
  drop: (reached: AnsweredLeg) => void,
): Promise<void> {
  const reached = await phone.catch(() => null)
  if (reached && reached !== winner) drop(reached)
}
