/**
 * Runs one carrier that this server holds: claims messages while its link is up, submits their segments within window
 * and throughput, and has written what became of them. A place in the window is taken until the outcome is in the
 * database: what is submitted and not known to be is never more than a window, and without a database nothing is.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import {
  type CarrierLink,
  type InboundSegment,
  type LinkHealth,
  type LinkHolder,
  type Receipt,
  SubmitError,
} from '../../../adapters/sms/link.js'
import { newId } from '../../../infrastructure/database/ids.js'
import { detached } from '../../../infrastructure/observability/tracing-contexts.js'
import type { Carrier } from '../carriers/carrier.entity.js'
import { BatchWriter } from './batch-writer.js'
import type { ClaimedMessage, Claims } from './claims.js'
import { Destinations } from './destinations.js'
import type { Outcome } from './outcome.js'
import type { Outcomes } from './outcomes.js'
import { expired } from './retry.js'
import { SentIds } from './sent-ids.js'
import { type Sending, type Submission, Submissions, submissionsOf } from './submissions.js'
import { Throughput } from './throughput.js'

type Ending = Exclude<Outcome, { kind: 'receipt' }>

export interface RunnerParts {
  claims: Claims
  outcomes: Outcomes
  /** Makes the link of a carrier. @throws when its settings are of no use */
  linkOf: (carrier: Carrier, holder: LinkHolder) => CarrierLink
  /** Takes what a carrier hands to us. @param bindId names the connection @param receipt what it may be instead */
  receive: (
    carrierId: string,
    segment: InboundSegment,
    bindId: string,
    receipt: Receipt | null,
  ) => Promise<void>
  /** Whether a receipt names a message that went out over a carrier to the number that it comes from. */
  names: (carrierId: string, receipt: Receipt) => Promise<boolean>
  log: Logger
}

/** Poll interval: messages that another server queues may come without a notice. */
const pollMs = 500

/** Messages that come within this time are claimed together. */
const gatherMs = 5

/** Messages claimed at once, and outcomes written at once, at most. */
const largestBatch = 500
const smallestBatch = 50

const firstThrottleMs = 500
const longestThrottleMs = 10_000

/** Before a longer pause than this, messages go back to the queue, from where other carriers may take them. */
const longPauseMs = 5_000

/** How long unanswered submissions are waited for when the server stops. */
const drainMs = 4_000

export class CarrierRunner {
  private readonly link: CarrierLink
  private readonly writer: BatchWriter<Outcome>
  private readonly throughput: Throughput
  private readonly submissions = new Submissions()
  private readonly sent = new SentIds()
  private readonly log: Logger
  private poll: NodeJS.Timeout | undefined
  private wakeTimer: NodeJS.Timeout | undefined
  private pumpTimer: NodeJS.Timeout | undefined
  /** Submissions whose outcome is not written yet. */
  private taken = 0
  private claiming: Promise<void> | undefined
  /** Whether there may be more messages than the last claim returned. */
  private hasMore = true
  private pausedUntil = 0
  private throttleMs = firstThrottleMs
  /** When the carrier began to throttle and took nothing since. */
  private throttledSince: number | null = null
  private readonly destinations = new Destinations()
  private notUpSince: number | null = Date.now()
  private bindId = newId('evt')
  /** Messages that are claimed and whose outcome is not written yet. */
  private readonly inHand = new Set<string>()
  /**
   * True until messages left `submitting` by the previous lease holder, or by a claim that may have failed, are requeued.
   */
  private isUncertain = true
  private isStopped = false
  private stopping: Promise<void> | undefined
  private idle: (() => void) | undefined

  constructor(
    readonly carrier: Carrier,
    private readonly parts: RunnerParts,
  ) {
    this.log = parts.log.child({ carrier: carrier.id })
    this.throughput = new Throughput(carrier.throughput)
    this.writer = new BatchWriter(async (outcomes) => parts.outcomes.write(carrier.id, outcomes), {
      ...{ name: 'submission outcomes', most: largestBatch, log: this.log, tries: 'for ever' },
    })
    this.link = parts.linkOf(carrier, {
      receive: async (segment, receipt) => this.incoming(segment, receipt ?? null),
      receipt: async (receipt) => this.receipt(receipt),
      changed: (health) => this.changed(health),
    })
  }

  get health(): LinkHealth {
    return this.link.health
  }

  private get isUp(): boolean {
    return this.link.health.state === 'up'
  }

  /** How many milliseconds the carrier has taken nothing, because its link is down or it throttles. */
  get stuckFor(): number {
    const now = Date.now()
    const isThrottled = this.pausedUntil + longestThrottleMs > now
    const since = this.notUpSince ?? (isThrottled ? this.throttledSince : null)
    return since === null ? 0 : now - since
  }

  start(): void {
    this.poll = setInterval(() => this.wake(), pollMs)
    this.link.start()
  }

  /** There may be messages. */
  wake(): void {
    this.wakeTimer ??= detached(() =>
      setTimeout(() => {
        this.wakeTimer = undefined
        this.hasMore = true
        this.pump()
      }, gatherMs),
    )
  }

  /** Data that may be a receipt is one if it names a message of ours; otherwise it is a text of the client. */
  private async incoming(segment: InboundSegment, receipt: Receipt | null): Promise<void> {
    if (receipt && (await this.isOurs(receipt))) await this.receipt(receipt)
    else await this.parts.receive(this.carrier.id, segment, this.bindId, receipt)
  }

  private async isOurs(receipt: Receipt): Promise<boolean> {
    if (this.sent.has(receipt) || (await this.parts.names(this.carrier.id, receipt))) return true
    await this.sent.answered(receipt)
    return this.sent.has(receipt)
  }

  /** Writes a receipt, in order with all else. */
  async receipt(receipt: Receipt): Promise<void> {
    if (receipt.state === 'pending') return
    await this.writer.add({ kind: 'receipt', receipt })
  }

  /**
   * Ends it. Resolves when everything that has happened is written, be the database away until then.
   * @param isOrderly waits for the answers to what is submitted
   */
  async stop({ isOrderly }: { isOrderly: boolean }): Promise<void> {
    this.isStopped = true
    this.stopping ??= this.end(isOrderly)
    return this.stopping
  }

  private async end(isOrderly: boolean): Promise<void> {
    clearInterval(this.poll)
    clearTimeout(this.wakeTimer)
    clearTimeout(this.pumpTimer)
    this.release()
    if (isOrderly && this.taken > 0) {
      const idle = new Promise<void>((done) => (this.idle = done))
      const limit = new AbortController()
      const late = sleep(drainMs, undefined, { signal: limit.signal }).catch(() => undefined)
      await Promise.race([idle, late])
      limit.abort()
    }
    await this.link.stop()
    await this.claiming
    await this.writer.drained()
  }

  private changed({ state, last_error }: LinkHealth): void {
    if (state === 'up') {
      this.log.info({ event: 'carrier.up' }, 'carrier is up')
      this.notUpSince = null
      this.bindId = newId('evt')
      this.pump()
      return
    }
    if (this.notUpSince === null)
      this.log.warn({ event: 'carrier.down', reason: last_error }, 'carrier is not up')
    this.notUpSince ??= Date.now()
    this.release()
  }

  /** Submits what may be submitted now, and claims more before it is at its end. */
  private pump(): void {
    if (this.isStopped || !this.isUp) return
    if (this.pausedUntil - Date.now() > longPauseMs) {
      // The poll looks again.
      this.release()
      return
    }
    while (this.taken < this.link.window) {
      const next = this.submissions.first
      if (!next) break
      const { id, to } = next.sending.message.text
      const refusal = this.destinations.refusalOf(to, id)
      const pause = refusal ? 0 : Math.max(this.pausedUntil - Date.now(), 0) || this.throughput.take()
      if (pause > 0) {
        this.pumpIn(pause)
        break
      }
      this.submissions.next()
      void (refusal ? this.refused(next.sending, refusal) : this.submit(next))
    }
    this.claim()
  }

  private pumpIn(ms: number): void {
    this.pumpTimer ??= setTimeout(() => {
      this.pumpTimer = undefined
      this.pump()
    }, Math.ceil(ms))
  }

  private claim(): void {
    const most = Math.min(largestBatch, Math.max(smallestBatch, 2 * this.link.window))
    const free = most - this.submissions.length
    if (this.claiming || !this.hasMore || free < most / 2) return
    this.hasMore = false
    this.claiming = this.claimNow(free).finally(() => {
      this.claiming = undefined
      this.pump()
    })
  }

  private async claimNow(limit: number): Promise<void> {
    try {
      if (this.isUncertain) await this.putBackLost()
      const claimed = await this.parts.claims.take(this.carrier.id, limit)
      if (claimed.length === limit) this.hasMore = true
      for (const message of claimed) this.begin(message)
      if (this.isStopped || !this.isUp) this.release()
    } catch (error) {
      this.log.warn({ event: 'message.claim_failed', err: error }, 'messages cannot be claimed now')
      this.isUncertain = true
    }
  }

  /** Requeues messages of a claim that may have been committed although it failed: no runner would submit them. */
  private async putBackLost(): Promise<void> {
    await this.parts.claims.putBack(this.carrier.id, this.inHand)
    this.isUncertain = false
  }

  private begin(message: ClaimedMessage): void {
    this.inHand.add(message.text.id)
    try {
      const { sending, submissions } = submissionsOf(message, this.link.segmentsOf(message.text))
      this.submissions.add(submissions)
      if (submissions.length > 0) return
      // All of it had been taken before, and only that was not written.
      const sent = { segments: sending.segments, carrierMessageId: undefined }
      void this.write({ kind: 'accepted', message, segment: null, carrierMessageId: null, sent })
    } catch (error) {
      void this.write({ kind: 'refused', message, error: refusalOf(error, 'permanent'), isPartly: false })
    }
  }

  private async submit({ sending, segment }: Submission): Promise<void> {
    this.taken += 1
    const { message } = sending
    const { id: messageId, to } = message.text
    this.destinations.begin(to, messageId)
    try {
      if (message.giveUpAt <= new Date()) throw new SubmitError('permanent', expired.code, expired.message)
      const submitted = this.link.submit(segment)
      this.sent.watch(submitted, segment.to)
      const id = await submitted
      this.destinations.accepted(to)
      this.throttleMs = firstThrottleMs
      this.throttledSince = null
      sending.accepted += 1
      sending.left -= 1
      if (segment.index === 0) sending.firstId = id
      const isSent = sending.accepted === sending.segments
      const sent = isSent ? { segments: sending.segments, carrierMessageId: sending.firstId } : null
      const written = this.write({
        kind: 'accepted',
        ...{ message, segment: segment.index, carrierMessageId: id, sent },
      })
      void this.endOf(sending)
      await written
    } catch (error) {
      const refusal = this.destinations.refused(to, refusalOf(error))
      if (refusal.kind === 'throttled') this.pause(refusal)
      await this.refused(sending, refusal)
    }
    this.taken -= 1
    if (this.taken === 0) this.idle?.()
    this.pump()
  }

  /** Pauses submissions. */
  private pause({ retryAfterMs }: SubmitError): void {
    const now = Date.now()
    this.throttledSince ??= now
    if (this.pausedUntil > now && retryAfterMs === undefined) return
    const pausedUntil = now + (retryAfterMs ?? this.throttleMs)
    if (this.pausedUntil <= now) this.throttleMs = Math.min(longestThrottleMs, this.throttleMs * 2)
    this.pausedUntil = Math.max(this.pausedUntil, pausedUntil)
  }

  private async refused(sending: Sending, error: SubmitError): Promise<void> {
    sending.left -= 1
    // A line that is gone has not refused anything.
    if (error.kind === 'temporary' && !this.isUp) sending.isReleased = true
    else sending.refusal ??= error
    this.submissions.remove(sending)
    await this.endOf(sending)
  }

  /** Puts back what is not submitted yet. */
  private release(): void {
    for (const sending of this.submissions.remove()) {
      sending.isReleased = true
      void this.endOf(sending)
    }
  }

  /** Writes the outcome of a message that was not submitted as a whole, once none of its segments is under way. */
  private endOf({ left, message, refusal, accepted, isReleased }: Sending): Promise<void> | undefined {
    if (left > 0) return undefined
    if (refusal) return this.write({ kind: 'refused', message, error: refusal, isPartly: accepted > 0 })
    return isReleased ? this.write({ kind: 'released', message }) : undefined
  }

  /** Ignores failures: data that can never be written has been logged. */
  private async write(outcome: Ending): Promise<void> {
    await this.writer.add(outcome).catch(() => undefined)
    if (outcome.kind !== 'accepted' || outcome.sent) this.inHand.delete(outcome.message.text.id)
  }
}

function refusalOf(error: unknown, kind: 'temporary' | 'permanent' = 'temporary'): SubmitError {
  if (error instanceof SubmitError) return error
  return new SubmitError(kind, 'error', error instanceof Error ? error.message : String(error))
}
