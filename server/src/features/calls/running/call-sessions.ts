/** All running calls of this server: starts them, reconciles them with the switch, and stops with it. */
import type { Route } from '../routing/route.js'
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cells } from '../../cells/cells.js'
import type { Job } from '../../../infrastructure/database/outbox.js'
import type { Edges } from '../../../adapters/kamailio/edges.js'
import type { KeptValues } from '../../../lib/kept-values.js'
import { RepeatingTask } from '../../../lib/repeating-task.js'
import type { PhoneNumberService } from '../../phone-numbers/phone-number.service.js'
import type { Rates } from '../../rates/rates.js'
import type { Stir } from '../../../adapters/stir-shaken/stir.js'
import type { Arrival } from '../../../adapters/freeswitch/arrival.js'
import type { EndedChannels } from '../../../adapters/freeswitch/ended-channels.js'
import { SwitchDownError } from '../../../adapters/freeswitch/errors.js'
import type { SwitchLink } from '../../../adapters/freeswitch/switch-link.js'
import type { Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import type { ActionServices } from '../script/actions/action.js'
import { routeToCaller, secondsLeftForApp } from '../session/app-caller.js'
import { Arrivals } from '../session/arrivals.js'
import { CallRecovery } from '../recovery/call-recovery.js'
import { anonymous } from '../../../adapters/freeswitch/caller-variables.js'
import { type CreditWatch, creditWatchMs } from '../limits/credit-watch.js'
import { CalledParty, ringSeconds } from '../dialling/called-party.js'
import { CallSession, type SessionServices } from '../session/call-session.js'
import { DurableWrites } from '../model/durable-writes.js'
import type { CallStore } from '../model/call-store.js'
import type { Call } from '../model/call.entity.js'
import { EndedLegs } from '../model/ended-legs.js'
import type { RouteDialer } from '../dialling/route-dialer.js'
import type { SwitchHistory } from '../model/leg-ends.js'
import { failures, unanswered } from '../model/termination.js'
import type { DialFailure } from '../../../adapters/freeswitch/hangup-causes.js'
import { type LiveCall, scripted } from '../session/live-call.js'
import { type Missed, MissedChannels, isMissed } from '../recovery/missed-channels.js'
import { InboundCalls } from '../session/inbound-calls.js'
import { type Explanation, NoRoute } from '../model/no-route.js'
import { PhoneCalls, type PhoneCallsOptions } from '../session/phone-calls.js'
import { PhoneRecovery } from '../recovery/phone-recovery.js'
import type { Flows } from '../script/script.js'
import type { ScriptStore } from '../script/script-runner.js'
import { RecoveryRunner } from '../recovery/recovery-runner.js'
import type { Bridge } from '../bridge/bridge.js'
import { isOutside } from '../routing/short-numbers.js'

interface Options extends Omit<PhoneCallsOptions, 'routing'> {
  store: CallStore
  routeDialer: RouteDialer
  actions: ActionServices
  phoneNumbers: PhoneNumberService
  /** Values of a workspace. */
  kept: Pick<KeptValues, 'get'>
  rates: Rates
  credit: CreditWatch
  link: SwitchLink
  switchboard: Switchboard
  journal: EndedChannels
  scripts: ScriptStore
  flows: Flows
  reportKeys: SessionServices['reportKeys']
  reportAnswered: SessionServices['reportAnswered']
  replaceActions: SessionServices['replaceActions']
  /** Client legs. */
  clientLegs: { restore(): Promise<void> }
  /** Continues whatever else belongs to a recovered call. */
  recovered(call: LiveCall): Promise<void>
  stir: Pick<Stir, 'verify'>
  cells: Pick<Cells, 'heardBefore'>
  /** Only INVITEs from their private addresses are accepted. */
  edges: Pick<Edges, 'hosts' | 'hasGivenUp'>
  /** True while no call may start. */
  isDraining: () => boolean
}

const sweepMs = 15_000

/** Pause before recovery is tried again, when the database or the switch was not ready. */
const retryMs = 1_000

/** Recovered calls dial their destinations again within this time. */
const freshMs = 3_000

/** A call that could not be placed for this long is given up: its caller no longer expects it. */
const staleMs = 30_000

/** If more calls than this arrive before recovery is done, the switch has already given up the first. */
const maxEarly = 1_000

/** Recovery waits for dials in progress, but no longer than this. */
const diallingMs = 5_000

/** Reconciliation ignores channels younger than this. */
const youngMs = 10_000

interface CallSessionsEvents {
  /** The script leg has been bridged. */
  bridge: [call: LiveCall, bridge: Bridge]
  /** A call of the previous process is over, or had not started. */
  notRecovered: [call: Call]
}

export class CallSessions extends EventEmitter<CallSessionsEvents> {
  private readonly sessions = new Map<string, LiveCall>()
  private readonly sessionServices: SessionServices
  private readonly calledParty: CalledParty
  private readonly arrivals: Arrivals
  private readonly phoneCalls: PhoneCalls
  private readonly recovery: RecoveryRunner
  private readonly sweeping: RepeatingTask
  private creditTimer: NodeJS.Timeout | undefined
  private readonly endedLegs = new EndedLegs()
  /** When the connection to the switch was last lost, after its calls had been recovered. */
  private lostAt: Date | null = null
  /** Calls that came in before recovery was done. */
  private early: Arrival[] = []
  /** Calls whose outbox job is running. */
  private readonly placing = new Set<string>()
  /** The dials of these jobs, once all live calls are known. */
  private readonly dialling = new Map<string, Promise<void>>()
  private recovering: Promise<void> = Promise.resolve()
  private ready = false
  private readyAt = 0
  private retryTimer: NodeJS.Timeout | undefined
  private readonly missedChannels: MissedChannels

  constructor(private readonly options: Options) {
    super()
    this.sweeping = new RepeatingTask(
      {
        everyMs: sweepMs,
        log: options.log,
        failure: ['recovery.sweep_failed', 'calls and channels cannot be compared'],
      },
      async () => this.sweep(),
    )
    this.missedChannels = new MissedChannels(options.journal, () => this.ready)
    this.sessionServices = {
      ...options,
      onBridge: (session, bridge) => this.emit('bridge', session, bridge),
      phoneNumber: async (call) => this.phoneNumberOf(call),
      endedLegs: this.endedLegs,
      onDriven: (session) => this.register(session),
      onEnded: ({ call }, { status, endedBy, hangupCause, sipCode }) => {
        options.log.debug(
          { event: 'call.ended', call: call.id, status, endedBy, hangupCause, sipCode },
          'a call has ended',
        )
        this.forget(call.id)
      },
    }
    this.calledParty = new CalledParty(this.sessionServices)
    const recovery = new CallRecovery({
      ...options,
      session: this.sessionServices,
      calledParty: this.calledParty,
    })
    const { routing } = options.actions
    const register = (call: LiveCall) => this.register(call)
    this.phoneCalls = new PhoneCalls({ ...options, routing }, this.sessionServices, this.sessions, register)
    const inboundCalls = new InboundCalls(options, this.sessionServices, register)
    this.arrivals = new Arrivals(options, { account: this.phoneCalls, trunk: inboundCalls })
    const phoneRecovery = new PhoneRecovery({
      ...options,
      session: this.sessionServices,
      routeOf: async (call) => this.routeOfPhone(call),
    })
    this.recovery = new RecoveryRunner({
      ...{ ...options, recovery, phoneRecovery },
      recovered: async (session) => {
        this.register(session)
        this.endedLegs.follow(session.call.id, await options.store.legsOf(session.call.id))
        await options.recovered(session)
      },
      isDriven: (callId) => this.sessions.has(callId) || this.dialling.has(callId),
      notRecovered: (call) => this.emit('notRecovered', call),
    })
    const held = new DurableWrites(options.log)
    options.switchboard.on('held', (channelId, isHeld, at) => {
      void held.add(async () => options.store.setHeldOn(channelId, isHeld, at))
    })
    options.switchboard.on('arrived', (arrival) => {
      if (this.ready) void this.arrivals.take(arrival)
      else this.early = [...this.early, arrival].slice(-maxEarly)
    })
    options.store.on('legEnded', (leg, end) => this.endedLegs.ended(leg, end))
    options.link.on('up', () => this.recoverAll())
    options.link.on('down', () => {
      const wasReady = this.ready
      this.ready = false
      this.early = []
      // While recovery is still running, it is the same gap.
      if (wasReady) this.lostAt = options.link.heardAt ?? new Date()
    })
  }

  start(): void {
    this.sweeping.start()
    this.creditTimer = setInterval(() => {
      if (this.ready) void this.options.credit.check([...this.sessions.values()])
    }, creditWatchMs)
  }

  /** Stops driving calls: they continue in the switch, and the next process recovers them. */
  async stop(): Promise<void> {
    const stopped = this.sweeping.stop()
    clearInterval(this.creditTimer)
    clearTimeout(this.retryTimer)
    this.options.credit.stop()
    this.options.actions.queues.stop()
    await Promise.all([stopped, this.recovering])
    await Promise.all([...this.sessions.values()].map(async (session) => session.settled()))
    await this.options.actions.streams.stop()
  }

  /** True once the calls of the previous process are recovered. */
  get isReady(): boolean {
    return this.ready
  }

  /** True just after a recovery: ringing calls may not ring again yet. */
  get isFresh(): boolean {
    return !this.ready || Date.now() < this.readyAt + freshMs
  }

  find(callId: string): LiveCall | undefined {
    return this.sessions.get(callId)
  }

  /** The call that has a channel. */
  withChannel(channelId: string): LiveCall | undefined {
    return [...this.sessions.values()].find(({ channelIds }) => channelIds.includes(channelId))
  }

  /** True if the state of a call is known in a moment: it is about to be recovered, or placed. */
  isSettling(callId: string): boolean {
    const session = this.sessions.get(callId)
    if (!this.ready || this.recovery.isLeft(callId)) return true
    return session ? (scripted(session)?.isResuming ?? false) : this.placing.has(callId)
  }

  /**
   * Places an accepted call: runs its outbox job.
   * @throws if it must be tried again
   */
  async place(job: Job): Promise<void> {
    const { call_id } = job.payload as { call_id: string }
    // On a slow database the job's lease runs out: a second run beside the first would dial twice.
    if (this.placing.has(call_id)) throw new Error('the call is being placed')
    this.placing.add(call_id)
    try {
      await this.placeNow(call_id, job)
    } finally {
      this.placing.delete(call_id)
    }
  }

  private async placeNow(call_id: string, job: Job): Promise<void> {
    await this.recovering
    const call = await this.options.store.load(call_id)
    if (!call?.live || this.sessions.has(call_id)) return
    // Another cell took ours for dead meanwhile and owns the job now.
    if (call.cell !== this.options.cell) return
    if (Date.now() - job.created_at.getTime() > staleMs) return this.giveUp(call, failures.notPlaced)
    if (!this.ready) throw new SwitchDownError()
    const dialling = this.dial(call, job)
    this.dialling.set(call_id, dialling)
    await dialling.finally(() => this.dialling.delete(call_id))
  }

  private async dial(call: Call, job: Job): Promise<void> {
    // A retried job was interrupted: recover its legs rather than dial twice.
    if (job.attempts > 0 && (await this.options.store.legsOf(call.id)).length > 0)
      return this.recovery.recover(call, await this.history([call]))
    if (call.line === 'caller') {
      this.awaitApp(call)
      return
    }
    const way = await this.calledParty.routeTo(call)
    if (way instanceof NoRoute) return this.giveUp(call, failures.noRoute, way.explanation)
    const session = new CallSession(call, this.sessionServices)
    this.register(session)
    try {
      await session.place(way.ring(ringSeconds(call, this.options.ringTimeout)))
    } catch (error) {
      this.forget(call.id)
      throw error
    }
  }

  /**
   * Hangs up calls that others ended while this server had no contact, and releases those that another cell continues.
   * @param live the calls that have not ended
   */
  async dropEnded(live?: readonly Call[]): Promise<void> {
    const { store, switchboard, log, cell } = this.options
    const known = new Set((live ?? (await store.live())).map(({ id }) => id))
    for (const session of [...this.sessions.values()]) {
      const { id } = session.call
      if (known.has(id)) continue
      const row = await store.load(id)
      if (!this.sessions.has(id) || (row?.live && row.cell === cell)) continue
      log.warn(
        { event: 'recovery.ended_call_hung_up', call: id, cell: row?.cell },
        'hanging up a call that was ended elsewhere',
      )
      const { channelIds } = session
      if (row?.live) {
        this.forget(id)
        scripted(session)?.abandon()
      }
      for (const channelId of channelIds) await switchboard.kill(channelId, 'NORMAL_CLEARING')
    }
  }

  /** True if a session is about to be registered for it. */
  private isBegun(callId: string): boolean {
    return this.placing.has(callId) || this.arrivals.isTakingCall(callId)
  }

  private register(session: LiveCall): void {
    this.sessions.set(session.call.id, session)
    this.endedLegs.follow(session.call.id)
  }

  private forget(callId: string): void {
    this.sessions.delete(callId)
    this.endedLegs.forget(callId)
  }

  private awaitApp(call: Call): void {
    const session = new CallSession(call, this.sessionServices)
    this.register(session)
    session.awaitApp(routeToCaller(call), secondsLeftForApp(call))
  }

  private async giveUp(call: Call, failure: DialFailure, why?: Explanation): Promise<void> {
    await this.options.store.ended(call, { ...unanswered(failure), why, endedAt: new Date() })
  }

  /** Releases all calls: the switch is dead, and others have ended its calls. */
  async letAllGo(): Promise<void> {
    const { switchboard, claims, actions, clientLegs } = this.options
    this.recovering = this.recovering
      .then(async () => {
        if (this.ready) return
        switchboard.abandonAll()
        await Promise.all([...this.sessions.values()].map(async (session) => session.settled()))
        this.sessions.clear()
        this.endedLegs.clear()
        this.recovery.beginAnew()
        claims.releaseAll()
        await actions.queues.restore()
        actions.queues.forgetAllBut({ has: () => false })
        await clientLegs.restore()
      })
      .catch((error: unknown) =>
        this.options.log.warn(
          { event: 'recovery.dead_switch_not_released', err: error },
          'the calls of a dead switch cannot be released',
        ),
      )
    await this.recovering
  }

  /** After each connection: finds every live call again, or finds that it has ended. */
  private recoverAll(): void {
    this.recovering = this.recovering
      .then(async () => {
        this.ready = false
        // A leg that is written but not dialled yet would be dialled twice.
        await Promise.race([Promise.allSettled(this.dialling.values()), sleep(diallingMs)])
        // Start over with everything that an earlier attempt has recovered.
        this.options.switchboard.abandonAll()
        await Promise.all([...this.sessions.values()].map(async (session) => session.settled()))
        this.sessions.clear()
        this.endedLegs.clear()
        this.recovery.beginAnew()
        const { store, claims, switchboard, actions } = this.options
        const existing = new Set(await switchboard.channelIds())
        claims.restore((await store.legsOfAgents()).filter(({ channel_id }) => existing.has(channel_id)))
        await actions.queues.restore()
        const live = await store.live()
        await this.recovery.recoverAll(live, await this.history(live))
        await claims.keepOnly(await switchboard.channelIds())
        await this.options.clientLegs.restore()
        actions.queues.forgetAllBut({ has: (callId) => this.mayWait(callId) })
        if (!this.options.link.isUp) throw new SwitchDownError()
        this.ready = true
        this.readyAt = Date.now()
        for (const arrival of this.early.splice(0)) void this.arrivals.take(arrival)
        for (const id of await this.options.switchboard.channelIds()) await this.takeArrival(id)
        this.options.log.info({ event: 'recovery.done', calls: this.sessions.size }, 'calls recovered')
      })
      .catch((error: unknown) => {
        this.options.log.warn({ event: 'recovery.delayed', err: error }, 'calls cannot be recovered yet')
        if (this.options.link.isUp) this.retryTimer = setTimeout(() => this.recoverAgain(), retryMs)
      })
  }

  private recoverAgain(): void {
    // The connection may have been lost again, and everything recovered when it came back.
    if (!this.ready && this.options.link.isUp) this.recoverAll()
  }

  /** True if a call may still wait in a queue: bridged calls have left it. */
  private mayWait(callId: string): boolean {
    const session = this.sessions.get(callId)
    return session !== undefined && !scripted(session)?.bridge && !scripted(session)?.isResuming
  }

  /** @param calls that are being recovered */
  private async history(calls: readonly Call[]): Promise<SwitchHistory> {
    // `uptime` answers the seconds since the switch started.
    const seconds = Number((await this.options.link.api('uptime')).trim())
    const startedAt = new Date(Date.now() - seconds * 1000)
    const { heardBefore } = this.options.cells
    const isLostLater = this.lostAt && (!heardBefore || heardBefore < this.lostAt)
    const journal = this.options.journal.of(calls.map(({ id }) => id))
    return { startedAt, heardAt: isLostLater ? this.lostAt : heardBefore, journal }
  }

  /** Reconciles calls with channels: neither may outlive the other. */
  private async sweep(): Promise<void> {
    if (!this.ready) return
    const channelIds = await this.options.switchboard.channelIds()
    await this.options.claims.keepOnly(channelIds)
    const young = Date.now() - youngMs
    const missed: Missed[] = []
    for (const session of this.sessions.values()) {
      // The connection was lost meanwhile, which abandons all sessions: they are recovered when it is back.
      if (!this.ready) return
      // It was started while disconnected, after all others had been recovered: recover it below.
      const { channel } = session
      if (channel?.isAbandoned) this.forget(session.call.id)
      else if (channel && (await isMissed(channel))) missed.push({ session, channel })
    }
    if (missed.length > 0) await this.missedChannels.lose(missed)
    const driven = new Set([...this.sessions.values()].flatMap((session) => session.channelIds))
    for (const id of channelIds) {
      if (!driven.has(id) && !this.arrivals.isTakingChannel(id)) await this.checkStray(id, young)
    }
    const live = await this.options.store.live()
    await this.dropEnded(live)
    const forgotten = live.filter(
      ({ id, created_at }) => !this.sessions.has(id) && !this.isBegun(id) && created_at.getTime() < young,
    )
    if (this.ready && forgotten.length > 0)
      await this.recovery.recoverAll(forgotten, await this.history(forgotten))
  }

  /** Takes a call that came in while no server listened, or whose handling was cut short before it was written. */
  private async takeArrival(channelId: string): Promise<void> {
    const arrival = (await this.options.switchboard.look(channelId))?.arrival
    if (!arrival || (arrival.takenFor && (await this.options.store.load(arrival.takenFor)))) return
    void this.arrivals.take(arrival)
  }

  /** Hangs up an orphan channel: its call has ended, or belongs to another cell. */
  private async checkStray(channelId: string, young: number): Promise<void> {
    const snapshot = await this.options.switchboard.look(channelId)
    const callId = snapshot?.variable('jackfield_call')
    if (!callId || !snapshot || (snapshot.answeredAt ?? snapshot.createdAt ?? new Date()).getTime() > young)
      return
    const call = await this.options.store.load(callId)
    if (call?.live && call.cell === this.options.cell) return
    if (!call && snapshot.arrival) {
      void this.arrivals.take(snapshot.arrival)
      return
    }
    this.options.log.warn(
      { event: 'recovery.orphan_hung_up', call: callId, channel: channelId },
      'hanging up an orphan channel',
    )
    await this.options.switchboard.kill(channelId, 'NORMAL_CLEARING')
  }

  private async phoneNumberOf(call: Call) {
    const workspace = { id: call.workspace_id }
    return call.phone_number_id ? this.options.phoneNumbers.find(workspace, call.phone_number_id) : null
  }

  private async routeOfPhone(call: Call): Promise<Route | null> {
    const workspace = { id: call.workspace_id }
    const phone = await this.options.phones.find(workspace, call.sip_account_id ?? call.agent_id ?? '')
    const digits = phone && (await this.options.emergency.dialled(phone, call.to_number))
    if (phone && digits) return this.options.emergency.routeOf(phone, call)
    const to = await this.options.actions.routing.find(workspace, call.to_number)
    if (!phone || !to || (to.kind !== 'phone' && !isOutside(to))) return null
    const found = await this.phoneCalls.directRoute(phone, to, call.from_number === anonymous)
    if (found instanceof NoRoute) return null
    return (await this.options.credit.holdFirst(call, found.route.rate)) ? found.route : null
  }
}
