/**
 * Queues responses. A conversation has one response at a time: the server answers a request for another with an error,
 * and creates responses by itself when the caller has spoken. So requests wait here.
 */
import type { RealtimeLimits } from './realtime-limits.js'

/** A request for a response. */
export interface ResponseRequest {
  /** Comes into the conversation right before it. */
  readonly item?: object
  /** The `response` of the `response.create`; undefined: with the session's settings. */
  readonly response: object | undefined
  /**
   * Continues what is in the conversation already. The server's own response to the caller does that too, so this one
   * waits until the caller has spoken, and is dropped when the server has answered them.
   */
  readonly isFollowUp: boolean
  /** It has failed before. */
  readonly isRetry?: boolean
}

export interface ResponseActions {
  create(request: ResponseRequest): void
  /** @param responseId '' if the server has not sent one */
  cancel(responseId: string): void
  /** A response has sent nothing within the deadline. */
  slow(): void
  /** A retry is dropped: the caller has interrupted it. */
  dropped(): void
}

/** Requests that wait. */
const maxWaiting = 16

export class ResponseTurns {
  private waiting: ResponseRequest[] = []
  /** Sent, and not begun. */
  private asked: ResponseRequest | null = null
  /** The request of the response under way; null: the server began it. */
  private begun: ResponseRequest | null = null
  private activeId: string | null = null
  private isCancelled = false
  private callerIs: 'quiet' | 'speaking' | 'answered soon' = 'quiet'
  /** The caller has said something that a response is owed to. */
  private isOwed = false
  /** A failed request, until it is retried. */
  private failed: ResponseRequest | null = null
  private retry: NodeJS.Timeout | undefined
  private turn: NodeJS.Timeout | undefined
  private deadline: NodeJS.Timeout | undefined

  constructor(
    private readonly actions: ResponseActions,
    private readonly limits: Pick<RealtimeLimits, 'answerMs' | 'turnMs'>,
  ) {}

  /** Whether the current response was cancelled: what still arrives of it is not played. */
  get isMuted(): boolean {
    return this.isCancelled && this.activeId !== null
  }

  /** Whether one is to begin: ours, or that of the server to what the caller has said. */
  get isAwaited(): boolean {
    return this.asked !== null || (this.callerIs === 'answered soon' && this.activeId === null)
  }

  ask(request: ResponseRequest): void {
    const isThere = request.isFollowUp && this.waiting.some(({ isFollowUp }) => isFollowUp)
    if (!isThere && this.waiting.length < maxWaiting) this.waiting.push(request)
    this.next()
  }

  /** Begins what waits, if it may. */
  private next(): void {
    if (this.asked || this.failed || this.activeId !== null) return
    const index = this.waiting.findIndex(({ isFollowUp }) => !isFollowUp || this.callerIs === 'quiet')
    const [request] = index < 0 ? [] : this.waiting.splice(index, 1)
    if (!request) return
    this.asked = request
    this.isCancelled = false
    this.expect()
    this.actions.create(request)
  }

  private expect(): void {
    clearTimeout(this.deadline)
    this.deadline = setTimeout(() => this.actions.slow(), this.limits.answerMs)
  }

  /** The server has sent something. */
  heardOf(): void {
    if (this.asked || this.activeId !== null) this.deadline?.refresh()
  }

  created(responseId: string): void {
    // The error was of something else: what seemed to have failed begins.
    if (this.failed && this.callerIs === 'quiet') {
      this.asked = this.failed
      this.failed = null
    }
    const isOfServer = !this.asked
    this.begun = this.asked
    this.asked = null
    this.activeId = responseId
    this.isOwed = false
    this.recover()
    if (isOfServer) {
      this.waiting = this.waiting.filter(({ isFollowUp }) => !isFollowUp)
      this.isCancelled = false
    }
    this.callerIs = this.callerIs === 'speaking' ? 'speaking' : 'quiet'
    clearTimeout(this.turn)
    this.expect()
    // It was interrupted before it had begun.
    if (this.isCancelled) this.actions.cancel(responseId)
  }

  /** The one under way is over. */
  done(): void {
    // Some servers never say that one has begun.
    if (this.activeId === null) this.asked = null
    this.activeId = this.begun = null
    this.isCancelled = false
    if (!this.asked) clearTimeout(this.deadline)
    this.next()
  }

  /** The response under way, or the awaited one, has failed: asks for it again after a while. */
  again(afterMs: number): void {
    // The server's own has no request: the conversation has what it is to answer.
    const { response, isFollowUp } = this.begun ?? this.asked ?? { response: undefined, isFollowUp: true }
    clearTimeout(this.deadline)
    clearTimeout(this.turn)
    this.asked = this.begun = null
    this.activeId = null
    this.isOwed = false
    if (this.callerIs !== 'speaking') this.callerIs = 'quiet'
    const wasCancelled = this.isCancelled
    this.isCancelled = false
    if (wasCancelled) {
      this.actions.dropped()
      this.next()
      return
    }
    clearTimeout(this.retry)
    this.failed = { response, isFollowUp, isRetry: true }
    this.retry = setTimeout(() => {
      this.recover()
      this.next()
    }, afterMs)
  }

  /** A failed request waits as others do. */
  private recover(): void {
    clearTimeout(this.retry)
    if (this.failed) this.waiting.unshift(this.failed)
    this.failed = null
  }

  /** The server had begun a response by itself when ours was asked for: ours comes behind it. */
  refusedAsActive(): void {
    const request = this.asked ?? this.begun
    if (!request) return
    const { response, isFollowUp, isRetry } = request
    // Its item is in the conversation already. A retry is not needed if the first attempt did not fail after all.
    if (!this.isCancelled && !(isRetry && isFollowUp)) this.waiting.unshift({ response, isFollowUp })
    this.asked = this.begun = null
    this.activeId ??= ''
  }

  /** The server does not do what it was asked. @returns whether it does nothing else either */
  refused(): boolean {
    this.asked = null
    const isIdle = this.activeId === null
    if (isIdle) this.done()
    return isIdle
  }

  callerSpeaks(): void {
    clearTimeout(this.turn)
    this.callerIs = 'speaking'
  }

  callerPauses(): void {
    this.callerIs = 'answered soon'
    clearTimeout(this.turn)
    this.turn = setTimeout(() => {
      this.callerIs = 'quiet'
      if (this.isOwed) this.ask({ response: undefined, isFollowUp: true })
      this.isOwed = false
      this.next()
    }, this.limits.turnMs)
  }

  /** The caller's words are known: the server is to answer them, or is asked to. */
  callerSaid(): void {
    if (this.callerIs === 'answered soon' && this.activeId === null) this.isOwed = true
  }

  /** Ends what is under way, or was just asked for. */
  interrupt(): void {
    this.waiting = this.waiting.filter(({ isFollowUp }) => !isFollowUp)
    if (this.failed) {
      clearTimeout(this.retry)
      this.failed = null
      this.actions.dropped()
    }
    if (this.isCancelled || (!this.asked && this.activeId === null)) return
    this.isCancelled = true
    if (this.activeId !== null) this.actions.cancel(this.activeId)
  }

  close(): void {
    clearTimeout(this.turn)
    clearTimeout(this.deadline)
    clearTimeout(this.retry)
    this.failed = null
    this.waiting = []
  }
}
