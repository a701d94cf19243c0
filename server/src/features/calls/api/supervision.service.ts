/** Supervisors who listen to calls, whisper to their agents, or barge in. */
import type { RouteDialOptions } from '../dialling/dial-options.js'
import { DialFailedError, type AnsweredLeg } from '../model/answered-leg.js'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { RegisteredSoftphones } from '../../agents/registered-softphones.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { conflict, forbidden, notFound } from '../../../infrastructure/http/errors.js'
import { SwitchDownError } from '../../../adapters/freeswitch/errors.js'
import type { Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import type { MembershipService } from '../../teams/membership.service.js'
import type { AgentClaims } from '../dialling/agent-claims.js'
import type { AgentReachability } from '../dialling/agent-reachability.js'
import { routeToExpectedApp } from '../routing/app-route.js'
import type { CallTokenClaims } from '../model/call-token.js'
import type { FreshToken } from '../clients/client-leg-registry.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import { eventOf } from '../model/call-events.js'
import type { CallRouting } from '../routing/call-routing.js'
import type { CallStore } from '../model/call-store.js'
import type { RouteDialer } from '../dialling/route-dialer.js'
import { releaseLeg } from '../dialling/release-leg.js'
import type { MonitoredAgent } from '../bridge/monitored.js'
import type { LiveCall } from '../session/live-call.js'
import { type LiveCalls, overSwitch } from '../session/live-calls.js'
import { Supervision, type SupervisionMode } from '../bridge/supervision.js'
import { otherParty } from '../dialling/team-members.js'
import { noTrace, unreported } from '../model/leg-ends.js'

/** The supervising agent. */
export interface Supervisor {
  id: string
  username: string
}

/** The device that plays the call to the supervisor. */
export type SupervisionDevice = 'app' | 'softphone'

interface Services {
  store: CallStore
  routeDialer: RouteDialer
  routing: CallRouting
  claims: AgentClaims
  switchboard: Pick<Switchboard, 'newChannelId' | 'adopt'>
  softphones: Pick<RegisteredSoftphones, 'addressOf'>
  reachability: Pick<AgentReachability, 'hasApps'>
  memberships: Pick<MembershipService, 'shareTeam'>
  token(claims: CallTokenClaims): FreshToken
  live: Pick<LiveCalls, 'find'>
  log: Logger
}

/** Seconds for the supervisor's app to connect, or their softphone to answer. */
const answerSeconds = 60

/** A recovered call is bridged again within this. */
const talkMs = 5_000
const lookMs = 50

const modes: readonly SupervisionMode[] = ['listen', 'whisper', 'barge']

export class SupervisionService {
  private readonly running = new Map<string, Supervision>()
  /** Supervisions of the previous process, until they are recovered or given up. */
  private readonly comingBack = new Map<string, Promise<void>>()

  constructor(private readonly services: Services) {}

  /**
   * Starts to supervise a call, or changes the mode.
   * @param device by default the app if the supervisor has one that gets notices, or has no softphone
   * @throws 403 not a supervisor of a team of the call's agent, 404 no agent is in the call, 409 the supervisor has a
   * call, 503 during recovery
   */
  async start(
    workspace: Owner,
    callId: string,
    by: Supervisor & { session_id: string },
    mode: SupervisionMode,
    device: SupervisionDevice | undefined,
  ) {
    const { call, monitored } = await this.admit(workspace, callId, by)
    const softphone =
      device === 'app' || (!device && (await this.hasApp(workspace, by)))
        ? null
        : await this.services.softphones.addressOf(workspace, by.id)
    const known = this.running.get(keyOf(callId, by))
    if (known) {
      await overSwitch(async () => known.switchTo(mode))
      this.note(call, by, { status: 'started', mode })
      return this.started(workspace, callId, by, mode, known.channelId)
    }
    if (device === 'softphone' && !softphone) throw conflict('No softphone of yours is registered')
    if (!this.services.claims.isFree(by.id)) throw conflict('You have another call')
    const supervision = this.supervisionOf(call, monitored, by, mode)
    const begin = (reached: AnsweredLeg) => {
      this.note(call, by, { status: 'started', mode: supervision.mode })
      return reached
    }
    this.run(call, supervision, by, async () => {
      const options: RouteDialOptions = {
        role: 'supervisor',
        callerName: otherParty(call.call).name,
        ringTimeout: answerSeconds,
        maxDuration: call.call.max_duration,
        afterBridge: 'park',
        signal: supervision.signal,
      }
      const { routeDialer, routing } = this.services
      if (!softphone) {
        const route = routeToExpectedApp({ kind: 'agent', sub: by.id }, by.username, mode)
        return begin(await routeDialer.dial(call.call, route, options))
      }
      const phone = { ...softphone, kind: 'agent', id: by.id } as const
      const route = routing.routeToPhone(phone, otherParty(call.call).number)
      // The switch can only eavesdrop at its own sample rate: see `Channel.eavesdrop`.
      return begin(await routeDialer.dialPhone(call.call, route, { ...options, codecs: ['PCMU', 'PCMA'] }))
    })
    return this.started(workspace, callId, by, mode, undefined)
  }

  /**
   * Ends the supervision; does nothing, with the same response, if there is none.
   * @throws as {@link start}
   */
  async stop(workspace: Owner, callId: string, by: Supervisor) {
    const { call } = await this.admit(workspace, callId, by)
    const supervision = this.running.get(keyOf(callId, by))
    if (supervision && !supervision.signal.aborted) {
      supervision.stop()
      this.note(call, by, { status: 'stopped' })
    }
    return { call_id: callId, supervisor: by.username, status: 'supervision_stopped' as const }
  }

  /** Recovers the supervisors of a call after a restart. */
  async recover(call: LiveCall, legs: readonly CallLeg[]): Promise<void> {
    const { switchboard, store } = this.services
    for (const leg of legs.filter(({ role, ended_at }) => role === 'supervisor' && !ended_at)) {
      const found = await switchboard.adopt(leg.channel_id)
      if (!found) {
        await store.legEnded(leg, unreported(noTrace, leg))
        continue
      }
      const mode = modes.find((one) => one === found.snapshot.variable('jackfield_mode'))
      const key = keyOf(call.call.id, { id: leg.agent_id ?? '' })
      const goingOn = this.goOn(call, { leg, channel: found.channel }, mode)
        .catch((error: unknown) => {
          this.services.log.warn(
            { event: 'supervision.recovery_failed', err: error, call: call.call.id },
            'recovering a supervisor failed',
          )
        })
        .finally(() => {
          if (this.comingBack.get(key) === goingOn) this.comingBack.delete(key)
        })
      this.comingBack.set(key, goingOn)
    }
  }

  private async goOn(call: LiveCall, reached: AnsweredLeg, mode: SupervisionMode | undefined): Promise<void> {
    const { leg, channel } = reached
    const monitored = mode && (await untilMonitored(call))
    if (!monitored || leg.agent_id === null) return releaseLeg(reached, this.services.store)
    await channel.park()
    const by = { id: leg.agent_id, username: leg.number }
    this.run(call, this.supervisionOf(call, monitored, by, mode), by, async () => Promise.resolve(reached))
  }

  private supervisionOf(
    call: LiveCall,
    monitored: MonitoredAgent,
    by: Supervisor,
    mode: SupervisionMode,
  ): Supervision {
    const { store } = this.services
    return new Supervision(
      {
        ...{ agentId: by.id, username: by.username, callId: call.call.id, monitored },
        legAnswered: async ({ leg }, at) => store.legAnswered(leg, at),
        legEnded: async ({ leg }, end) => store.legEnded(leg, end),
      },
      mode,
    )
  }

  private run(
    call: LiveCall,
    supervision: Supervision,
    by: Supervisor,
    dial: () => Promise<AnsweredLeg>,
  ): void {
    const key = keyOf(call.call.id, by)
    this.running.set(key, supervision)
    const { monitored } = supervision.options
    const forget = monitored.onOver(() => supervision.stop())
    if (monitored.isOver) supervision.stop()
    dial()
      .then(async (reached) => supervision.attend(reached))
      .catch((error: unknown) => {
        if (error instanceof DialFailedError || error instanceof SwitchDownError) return
        this.services.log.error(
          { event: 'supervision.failed', err: error, call: call.call.id },
          'supervising a call failed',
        )
      })
      .finally(() => {
        forget()
        if (this.running.get(key) === supervision) this.running.delete(key)
      })
  }

  private async admit(workspace: Owner, callId: string, by: Supervisor) {
    const call = await this.services.live.find(callId)
    if (call?.call.workspace_id !== workspace.id) throw notFound(`Call ${callId} not found, or not active`)
    const key = keyOf(callId, by)
    await this.comingBack.get(key)
    const all = call.monitored()
    const known = this.running.get(key)
    // A transfer target may be no agent: the supervision continues all the same.
    if (all.length === 0 && known) return { call, monitored: known.options.monitored }
    if (all.length === 0) throw notFound(`No agent talks in the call ${callId}`)
    for (const monitored of all) {
      const isOwn = monitored.agentId === by.id
      if (!isOwn && (await this.services.memberships.shareTeam(workspace, by.id, monitored.agentId))) {
        return { call, monitored }
      }
    }
    throw forbidden('This needs a supervisor of a team of the call’s agent')
  }

  private async hasApp(workspace: Owner, by: Supervisor): Promise<boolean> {
    return this.services.reachability.hasApps(workspace, { kind: 'agent', sub: by.id })
  }

  private started(
    workspace: Owner,
    call_id: string,
    by: Supervisor & { session_id: string },
    mode: SupervisionMode,
    channelId = this.services.switchboard.newChannelId(),
  ) {
    const claims = {
      kind: 'agent',
      sub: by.id,
      workspace_id: workspace.id,
      call_id,
      fs_uuid: channelId,
      credential: by.session_id,
    } as const
    return {
      ...{ call_id, mode, supervisor: by.username, status: 'supervision_started' as const },
      ...this.services.token({ ...claims, mode }),
    }
  }

  private note({ call }: LiveCall, { username }: Supervisor, details: object): void {
    const event = eventOf(call, 'call.supervision', new Date(), {
      details: { ...details, supervisor: username },
    })
    this.services.store.note(event).catch((error: unknown) => {
      this.services.log.warn(
        { event: 'supervision.not_on_timeline', err: error, call: call.id },
        'writing a supervision to the timeline failed',
      )
    })
  }
}

/** The first agent in a call that is about to be bridged; null if there is none within some seconds. */
async function untilMonitored(call: LiveCall): Promise<MonitoredAgent | null> {
  const until = Date.now() + talkMs
  for (;;) {
    const [monitored] = call.monitored()
    if (monitored ?? Date.now() > until) return monitored ?? null
    await sleep(lookMs)
  }
}

function keyOf(callId: string, { id }: Pick<Supervisor, 'id'>): string {
  return `${callId} ${id}`
}
