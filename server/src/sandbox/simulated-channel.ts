/**
 * One simulated leg, called or calling: its states, its variables, its events in the order that FreeSWITCH sends them.
 */
import { randomUUID } from 'node:crypto'
import type { LegFarEnd } from './leg-far-end.js'
import { ApplicationRunner } from './application-runner.js'
import { applications } from './applications.js'
import { causeOfStatus, q850Number } from './causes.js'
import { channelHeaders } from './channel-headers.js'
import type { ApplicationCall, SipTarget } from './dial-string.js'
import { micros, type EventBus, type Headers, type SwitchEvent } from './event-bus.js'
import type { FarEndStep } from './far-ends.js'
import type { Journal } from './journal.js'
import { endVariables } from './end-variables.js'
import { arrivalVariables } from './arrival-variables.js'
import { Recordings } from './recordings.js'
import type { SimulatedCaller } from './simulated-caller.js'
import { FRAME, Timers } from './timers.js'

/** How a leg came to its end, as mod_sofia writes it down. */
type Ending = { by: 'us' } | { by: 'far end' } | { by: 'refusal'; status: number; phrase: string }

export interface ChannelTimes {
  created: number
  progress: number
  progressMedia: number
  answered: number
  bridged: number
  hangup: number
}

interface Parts {
  bus: EventBus
  journal: Journal
  find: (uuid: string) => SimulatedChannel | undefined
  gone: (channel: SimulatedChannel) => void
}

export class SimulatedChannel {
  readonly timers = new Timers()
  readonly applications: ApplicationRunner
  readonly recordings = new Recordings(this)
  readonly variables = new Map<string, string>()
  readonly times: ChannelTimes
  readonly created: number
  state = 'CS_INIT'
  callState = 'DOWN'
  answerState = 'ringing'
  cause = ''
  peer: SimulatedChannel | undefined
  /** Which side of the bridge it is. */
  bridgeRole: 'originator' | 'originatee' | undefined
  /** The dialplan program has begun. */
  begun = false
  /** Nothing runs and nothing shall: bridged, or parked after a bridge. */
  resting = false
  #ending: Ending = { by: 'us' }
  #scheduled: (() => void)[] = []
  #settle: (result: string) => void = () => {}
  #server: LegFarEnd | undefined
  readonly #listeners: (() => void)[] = []

  constructor(
    readonly uuid: string,
    readonly target: SipTarget,
    readonly sessionId: number,
    private readonly parts: Parts,
    /** The caller of an incoming channel; undefined for a leg that we dialled. `target` is the called number. */
    readonly caller?: SimulatedCaller,
  ) {
    this.created = micros()
    this.times = { created: this.created, progress: 0, progressMedia: 0, answered: 0, bridged: 0, hangup: 0 }
    this.applications = new ApplicationRunner(this)
    const user = encodeURIComponent(target.user)
    const known: Headers = {
      direction: this.direction,
      uuid,
      session_id: String(sessionId),
      sip_profile_name: 'edge',
      channel_name: this.name,
      call_uuid: uuid,
      ...(caller
        ? arrivalVariables(caller.order)
        : {
            is_outbound: 'true',
            sip_destination_url: `sip:${target.uri.replace(target.user, user)}`,
          }),
    }
    for (const [name, value] of Object.entries(known)) this.variables.set(name, value)
  }

  get direction(): 'inbound' | 'outbound' {
    return this.caller ? 'inbound' : 'outbound'
  }

  /** `sofia/edge/%2B12025550100@127.0.0.1:25070`: FreeSWITCH encodes the plus sign of those that it dials. */
  get name(): string {
    if (this.caller) return `sofia/edge/${this.caller.order.number}@${this.target.host}`
    return `sofia/edge/${encodeURIComponent(this.target.user)}@${this.target.host}:${this.target.port}`
  }

  /** It has been hung up, though its last events may still be on their way. */
  get ended(): boolean {
    return this.cause !== ''
  }

  /** Whether what others say reaches its far end: it is bridged, or hears another channel. */
  get isHeard(): boolean {
    return this.peer !== undefined || this.applications.current === 'eavesdrop'
  }

  /** Hears another channel until that ends. @returns false when there is none */
  hears(uuid: string, over: () => void): boolean {
    const target = this.parts.find(uuid)
    if (!target) return false
    target.#listeners.push(over)
    return true
  }

  /** Stores a variable; an empty value removes it. */
  set(name: string, value: string): void {
    if (value === '') this.variables.delete(name)
    else this.variables.set(name, value)
  }

  emit(name: string, more: Headers = {}): void {
    this.parts.bus.emit(name, () => ({ ...channelHeaders(this), ...this.#variableHeaders(), ...more }))
  }

  /** All that `uuid_dump` shows. */
  dump(): SwitchEvent {
    const headers = {
      ...this.parts.bus.common('CHANNEL_DATA'),
      ...channelHeaders(this),
      ...this.#variableHeaders(),
    }
    return { name: 'CHANNEL_DATA', headers, body: '' }
  }

  #variableHeaders(): Headers {
    return Object.fromEntries([...this.variables].map(([name, value]) => [`variable_${name}`, value]))
  }

  /**
   * Calls the far end.
   * @param timeout milliseconds until NO_ANSWER
   * @returns `+OK <uuid>\n` once answered, else `-ERR <cause>\n`
   */
  async dial(
    farEnd: readonly FarEndStep[] | LegFarEnd,
    program: readonly ApplicationCall[],
    timeout: number,
  ): Promise<string> {
    return new Promise((resolve) => {
      this.#settle = resolve
      for (const name of ['CHANNEL_OUTGOING', 'CHANNEL_CREATE', 'CHANNEL_ORIGINATE']) this.emit(name)
      this.#enter('CS_CONSUME_MEDIA')
      if ('call' in farEnd) {
        this.#server = farEnd
        farEnd.call()
      } else {
        for (const step of farEnd) this.timers.after(step.after, () => this.farEndDoes(step, program))
      }
      this.timers.after(timeout, () => {
        if (!this.begun) this.hangUp('NO_ANSWER')
      })
    })
  }

  /** Somebody calls in: the dialplan's program runs for them at once. */
  arrive(program: readonly ApplicationCall[]): void {
    this.#media()
    this.emit('CHANNEL_STATE')
    this.emit('CHANNEL_CREATE')
    this.state = 'CS_ROUTING'
    this.#call('RINGING')
    this.emit('CHANNEL_STATE')
    this.begun = true
    this.caller?.waits(this)
    this.timers.after(1, () => {
      this.#enter('CS_EXECUTE')
      this.applications.start(program)
    })
  }

  /** Sends ringing to the caller. */
  ringReady(): void {
    if (!this.caller || this.answerState !== 'ringing' || this.times.progress > 0) return
    this.times.progress = micros()
    this.emit('CHANNEL_PROGRESS')
  }

  /** Opens early media for an unanswered caller. */
  preAnswer(): void {
    if (!this.caller || this.answerState !== 'ringing') return
    this.times.progressMedia = micros()
    this.answerState = 'early'
    this.set('endpoint_disposition', 'EARLY MEDIA')
    this.emit('CHANNEL_PROGRESS_MEDIA')
    this.#call('EARLY')
    this.caller.hears(this)
  }

  /** Answers a caller. */
  answer(): void {
    if (!this.caller || this.times.answered > 0) return
    this.times.answered = micros()
    this.answerState = 'answered'
    this.emit('CHANNEL_ANSWER')
    this.#call('ACTIVE')
    this.set('endpoint_disposition', 'ANSWER')
    for (const { name, argument } of this.#onAnswer()) applications[name]?.(this, argument)
    this.caller.answered(this)
  }

  /** The far end hangs up, or gives up calling. */
  leave(): void {
    this.#ending = { by: 'far end' }
    this.hangUp(this.times.answered > 0 ? 'NORMAL_CLEARING' : 'ORIGINATOR_CANCEL')
  }

  /** The far end rings, answers, refuses, … */
  farEndDoes(step: FarEndStep, program: readonly ApplicationCall[]): void {
    if (this.ended) return
    switch (step.does) {
      case 'ring':
        this.times.progress = micros()
        this.#heardFrom()
        this.emit('CHANNEL_PROGRESS')
        this.#call('RINGING')
        return
      case 'early media':
        this.times.progressMedia = micros()
        this.answerState = 'early'
        this.#heardFrom()
        this.set('endpoint_disposition', 'EARLY MEDIA')
        this.emit('CHANNEL_PROGRESS_MEDIA')
        this.#call('EARLY')
        return
      case 'answer':
        this.times.answered = micros()
        this.answerState = 'answered'
        this.#heardFrom()
        this.#media()
        this.emit('CHANNEL_ANSWER')
        this.#call('ACTIVE')
        this.set('endpoint_disposition', 'ANSWER')
        this.begun = true
        // The job's result goes out before the program begins, as in FreeSWITCH.
        this.#settle(`+OK ${this.uuid}\n`)
        this.timers.after(FRAME / 2, () => {
          this.#enter('CS_EXECUTE')
          this.applications.start([...this.#onAnswer(), ...program])
        })
        return
      case 'press':
        this.press(step.keys, 'RTP')
        return
      case 'hang up':
        this.leave()
        return
      case 'challenge':
        this.hangUp('MANDATORY_IE_MISSING')
        return
      case 'refuse':
        this.#heardFrom()
        this.#ending = { by: 'refusal', status: step.status, phrase: step.phrase }
        this.hangUp(causeOfStatus(step.status))
    }
  }

  /** Variables whose names begin with `execute_on_answer`, which FreeSWITCH runs before the program. */
  #onAnswer(): ApplicationCall[] {
    return [...this.variables].flatMap(([variable, value]) => {
      const [name, ...argument] = value.split(' ')
      return variable.startsWith('execute_on_answer') && name ? [{ name, argument: argument.join(' ') }] : []
    })
  }

  /** Keys pressed one after the other: 100 ms each, 50 ms between. */
  press(keys: string, source: 'RTP' | 'APP'): void {
    ;[...keys].forEach((key, index) =>
      this.timers.after(source === 'RTP' ? index * 150 : FRAME, () => {
        this.parts.bus.emit('DTMF', () => ({
          ...channelHeaders(this),
          'DTMF-Digit': key,
          'DTMF-Duration': source === 'RTP' ? '800' : '2000',
          'DTMF-Source': source,
        }))
        this.applications.keyPressed(key)
      }),
    )
  }

  /** Ends it; the first cause counts. Its last events follow within a frame. */
  hangUp(cause: string): void {
    if (this.ended) return
    this.cause = cause
    this.answerState = 'hangup'
    this.timers.clear()
    this.#scheduled = []
    this.emit('CHANNEL_HANGUP')
    this.#server?.end()
    this.timers.after(this.begun ? FRAME / 2 : 1, () => this.#finish())
  }

  /** The switch ends as if it were killed: no events, no BYE. */
  abandon(): void {
    this.timers.clear()
    this.#server?.abandon()
  }

  /** Hangs up later, in whole seconds like FreeSWITCH's scheduler. */
  schedule(seconds: number, cause: string): void {
    this.#scheduled.push(this.timers.after(seconds * 1000, () => this.hangUp(cause)))
  }

  /** @returns how many it had */
  unschedule(): number {
    const count = this.#scheduled.length
    for (const cancel of this.#scheduled) cancel()
    this.#scheduled = []
    return count
  }

  /** Another program takes the place of what runs (uuid_transfer); a bridge ends by it. */
  transfer(program: readonly ApplicationCall[]): void {
    this.timers.after(FRAME, () => {
      this.#unbridge()
      this.resting = false
      this.#enter('CS_EXECUTE')
      this.applications.start(program)
    })
  }

  /** Both are answered; what they run ends and each hears the other. */
  bridge(other: SimulatedChannel): void {
    for (const channel of [this, other]) {
      channel.#unbridge()
      channel.resting = true
      channel.applications.endAll()
    }
    this.timers.after(FRAME, () => {
      if (other.ended) {
        this.#afterBridge()
        return
      }
      join(this, other, 'originator')
      join(other, this, 'originatee')
      this.emit('CHANNEL_BRIDGE', { 'Bridge-A-Unique-ID': this.uuid, 'Bridge-B-Unique-ID': other.uuid })
    })
  }

  #unbridge(): void {
    const { peer } = this
    if (!peer) return
    for (const channel of [this, peer]) {
      channel.set('last_bridge_to', channel.peer?.uuid ?? '')
      channel.set('last_bridge_role', channel.bridgeRole ?? '')
    }
    const originator = this.bridgeRole === 'originator' ? this : peer
    this.peer = undefined
    peer.peer = undefined
    if (this.ended) peer.set('last_bridge_hangup_cause', this.cause)
    peer.#afterBridge()
    originator.emit('CHANNEL_UNBRIDGE')
    for (const channel of [this, peer]) {
      channel.bridgeRole = undefined
      for (const name of ['signal_bond', 'bridge_to', 'bridge_uuid', 'bridge_channel'])
        if (!channel.ended) channel.set(name, '')
    }
  }

  /** Its peer has gone. */
  #afterBridge(): void {
    if (this.ended) return
    if (this.variables.get('park_after_bridge') !== 'true') {
      this.hangUp('NORMAL_CLEARING')
      return
    }
    this.#enter('CS_PARK')
    this.emit('CHANNEL_PARK')
  }

  /** The last events, in FreeSWITCH's order. */
  #finish(): void {
    this.times.hangup = micros()
    this.applications.endAll()
    this.#unbridge()
    for (const over of this.#listeners) over()
    this.#enter('CS_HANGUP')
    this.recordings.endAll()
    this.#call('HANGUP')
    this.#writeEnding()
    for (const [name, value] of endVariables(this)) this.variables.set(name, value)
    this.#enter('CS_REPORTING')
    this.parts.journal.write(this.variables)
    this.emit('CHANNEL_HANGUP_COMPLETE')
    this.emit('CHANNEL_DESTROY')
    this.timers.clear()
    this.parts.gone(this)
    this.#settle(`-ERR ${this.cause}\n`)
  }

  #writeEnding(): void {
    const ending = this.#ending
    const statuses = (status: number) => {
      this.set('sip_term_status', String(status))
      this.set('proto_specific_hangup_cause', `sip:${status}`)
      this.set('sip_term_cause', String(q850Number(this.cause)))
    }
    if (ending.by === 'refusal') {
      this.set('sip_hangup_disposition', 'recv_refuse')
      this.set('sip_invite_failure_status', String(ending.status))
      this.set('sip_invite_failure_phrase', ending.phrase)
      statuses(ending.status)
    } else if (ending.by === 'far end' && this.times.answered > 0) {
      this.set('sip_hangup_disposition', 'recv_bye')
      statuses(200)
    } else if (this.times.answered > 0) this.set('sip_hangup_disposition', 'send_bye')
    else if (this.caller && ending.by === 'us') this.set('sip_hangup_disposition', 'send_refuse')
    else {
      this.set('sip_hangup_disposition', this.caller ? 'recv_cancel' : 'send_cancel')
      this.set('sip_invite_failure_status', '487')
      this.set('sip_invite_failure_phrase', 'CANCEL')
      if (this.caller) statuses(487)
    }
  }

  #enter(state: string): void {
    this.state = state
    this.emit('CHANNEL_STATE')
  }

  #call(state: string): void {
    const before = this.callState
    this.callState = state
    this.emit('CHANNEL_CALLSTATE', { 'Original-Channel-Call-State': before })
  }

  /** A SIP answer has come: its dialog's variables are known. */
  #heardFrom(): void {
    if (this.variables.has('sip_call_id')) return
    const { user, host, port } = this.target
    this.set('sip_call_id', randomUUID())
    this.set('sip_to_tag', randomUUID())
    this.set('sip_to_user', user)
    this.set('sip_to_host', host)
    this.set('sip_to_uri', `${user}@${host}:${port}`)
    this.set('sip_req_uri', `${encodeURIComponent(user)}@${host}:${port}`)
    this.set('sip_network_ip', '127.0.0.1')
  }

  #media(): void {
    for (const side of ['read', 'write']) {
      this.set(`${side}_codec`, 'PCMU')
      this.set(`${side}_rate`, '8000')
    }
    this.set('dtmf_type', 'rfc2833')
  }
}

function join(channel: SimulatedChannel, other: SimulatedChannel, role: 'originator' | 'originatee'): void {
  channel.peer = other
  channel.bridgeRole = role
  channel.state = role === 'originator' ? 'CS_SOFT_EXECUTE' : 'CS_EXCHANGE_MEDIA'
  channel.times.bridged = micros()
  channel.set('bridge_channel', other.name)
  channel.set('bridge_uuid', other.uuid)
  channel.set('signal_bond', other.uuid)
  channel.set('bridge_to', other.uuid)
}
