/**
 * Runs a channel's applications as FreeSWITCH does: a program of them one after the other, and those that
 * come in by `sendmsg` on top of whatever runs (the newest ends first, the older wait), or with event-lock
 * one after the other.
 */
import { randomUUID } from 'node:crypto'
import { applications, type Doing } from './applications.js'
import type { ApplicationCall } from './dial-string.js'
import type { SimulatedChannel } from './simulated-channel.js'
import { FRAME } from './timers.js'

export interface Execution extends ApplicationCall {
  /** Application-UUID of its events. */
  uuid: string
  /** With event-lock nothing else begins before this one has ended. */
  locked: boolean
}

interface Running extends Execution {
  doing: Doing
  /** Milliseconds still to go when its timer (re)started. */
  remaining: number
  startedAt: number
  stopTimer: () => void
}

/** More than any script sends ahead; a client that sends more gets an error. */
const longestQueue = 1000

export class ApplicationRunner {
  readonly #stack: Running[] = []
  #waiting: Execution[] = []
  #program: ApplicationCall[] = []
  #started = false

  constructor(private readonly channel: SimulatedChannel) {}

  /** Name of what runs, the newest. */
  get current(): string | undefined {
    return this.#stack.at(-1)?.name
  }

  /** Starts the program, or replaces the running one (uuid_transfer). */
  start(program: readonly ApplicationCall[]): void {
    // What was sent ahead of the program waits for it, as FreeSWITCH's queue of messages does.
    while (this.#stack.length > 0) this.#complete(true)
    this.#started = true
    this.#program = [...program]
    this.#next()
    if (this.#waiting.length > 0) this.channel.timers.after(FRAME, () => this.#takeWaiting())
  }

  /** @returns false when too many wait already */
  execute(execution: Execution): boolean {
    if (this.#waiting.length >= longestQueue) return false
    this.#waiting.push(execution)
    this.channel.timers.after(FRAME, () => this.#takeWaiting())
    return true
  }

  /** Ends what plays; with `all` also forgets what waits, without a word of it. */
  break(all: boolean): void {
    if (all) this.#waiting = []
    while (this.#stack.at(-1)?.doing.audible) this.#complete(true)
    this.#goOn()
  }

  /** A key that ends a playback: `playback_terminators`, by default the star. */
  keyPressed(key: string): void {
    const terminators = this.channel.variables.get('playback_terminators') ?? '*'
    const top = this.#stack.at(-1)
    if (top?.name !== 'playback' || !top.doing.audible) return
    if (terminators !== 'none' && (terminators === 'any' || terminators.includes(key))) this.#ended()
  }

  /** Everything that runs ends now; what waits is forgotten. */
  endAll(): void {
    this.#waiting = []
    this.#program = []
    while (this.#stack.length > 0) this.#complete(true)
  }

  #takeWaiting(): void {
    if (!this.#started || this.channel.ended || this.#stack.at(-1)?.locked) return
    const execution = this.#waiting.shift()
    if (execution) this.#begin(execution)
  }

  #begin(execution: Execution): void {
    const below = this.#stack.at(-1)
    if (below && Number.isFinite(below.remaining)) {
      below.stopTimer()
      below.remaining = Math.max(0, below.remaining - (performance.now() - below.startedAt))
    }
    const { channel } = this
    const application = Object.hasOwn(applications, execution.name) ? applications[execution.name] : undefined
    if (!application) {
      channel.hangUp('DESTINATION_OUT_OF_ORDER')
      return
    }
    channel.set('current_application_response', '')
    channel.set('current_application_data', execution.argument)
    channel.set('current_application', execution.name)
    channel.emit('CHANNEL_EXECUTE', headersOf(execution))
    const running: Running = {
      ...execution,
      doing: done,
      remaining: 0,
      startedAt: performance.now(),
      stopTimer: () => {},
    }
    this.#stack.push(running)
    running.doing = application(channel, execution.argument)
    running.remaining = running.doing.lasts
    if (channel.ended) return
    if (execution.name === 'park') channel.emit('CHANNEL_PARK')
    if (running.doing.audible && execution.name === 'playback') {
      channel.emit('PLAYBACK_START', { 'Playback-File-Path': execution.argument })
    }
    if (running.remaining === 0 || running.doing.until?.(() => this.#endsBy(running)) === false) this.#ended()
    else this.#resume()
  }

  /** What one waited for has happened. */
  #endsBy(running: Running): void {
    if (!this.channel.ended && this.#stack.at(-1) === running) this.#ended()
  }

  /** The newest has come to its end by itself. */
  #ended(): void {
    this.#complete(false)
    this.#goOn()
  }

  #goOn(): void {
    if (this.#waiting.length > 0) this.#takeWaiting()
    else this.#resume()
  }

  #complete(broken: boolean): void {
    const running = this.#stack.pop()
    if (!running) return
    running.stopTimer()
    const { channel } = this
    const response = running.doing.response
    if (response) channel.set('current_application_response', response)
    if (running.name === 'park') channel.emit('CHANNEL_UNPARK')
    if (running.name === 'playback' && running.doing.audible) {
      const played = Math.round(performance.now() - running.startedAt)
      channel.set('playback_ms', String(played))
      channel.set('playback_seconds', String(Math.round(played / 1000)))
      channel.set('playback_samples', String(played * 8))
      channel.emit('PLAYBACK_STOP', {
        'Playback-File-Path': running.argument,
        'Playback-Status': broken ? 'break' : 'done',
      })
    }
    channel.emit('CHANNEL_EXECUTE_COMPLETE', {
      ...headersOf(running),
      'Application-Response': channel.variables.get('current_application_response') ?? '_none_',
    })
  }

  /** Resumes the newest application; without any, the program continues. */
  #resume(): void {
    const top = this.#stack.at(-1)
    if (!top) {
      this.#next()
      return
    }
    top.stopTimer()
    if (!Number.isFinite(top.remaining)) return
    top.startedAt = performance.now()
    top.stopTimer = this.channel.timers.after(top.remaining, () => this.#ended())
  }

  #next(): void {
    if (this.channel.ended || this.channel.resting || !this.#started) return
    const step = this.#program.shift()
    if (step) this.#begin({ ...step, uuid: randomUUID(), locked: false })
    else this.channel.hangUp('NORMAL_CLEARING')
  }
}

const done: Doing = { lasts: 0 }

function headersOf({ name, argument, uuid }: Execution) {
  return {
    Application: name,
    ...(argument ? { 'Application-Data': argument } : {}),
    'Application-UUID': uuid,
  }
}
