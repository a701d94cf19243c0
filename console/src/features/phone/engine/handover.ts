/** Handing one call over: at once, or after speaking with the target. */
import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { HandoverWatch } from './handover-watch'

export interface Handover {
  /** Whom the call is handed over to, as the agent said it. */
  readonly to: string
  readonly isConsulting: boolean
  /** `starting`, `initiated`, or what has come of it. */
  readonly status: string
}

export interface HandoverWishes {
  /** The agent speaks with the target first. */
  consult: boolean
  /** Shown to whom the call comes. */
  reason: string
  /** The target's name, for people. */
  to: string
}

export class Handovers {
  private current: Handover | null = null
  private watch: HandoverWatch | undefined
  private isOver = false

  /** @param changed told what comes of it; null when there is nothing to tell */
  constructor(
    private readonly callId: string,
    private readonly changed: (handover: Handover | null) => void,
  ) {}

  /**
   * Resolves when it has begun.
   * @param target an agent's or SIP account's username, an extension, or the id of a team
   * @throws {ApiError}
   */
  async start(target: string, { consult, reason, to }: HandoverWishes): Promise<void> {
    this.set({ to, isConsulting: consult, status: 'starting' })
    try {
      this.watch?.close()
      this.watch = await HandoverWatch.open(this.callId, (status) => this.told(status))
      if (this.isOver) this.watch.close()
      const body = { target, consult, ...(reason && { reason }) }
      await dataOf(api.POST('/call-center/calls/{call_id}/transfer', { ...this.path, body }))
      this.told('initiated')
    } catch (error) {
      this.watch?.close()
      this.set(null)
      throw error
    }
  }

  /** Joins caller and target. @throws {ApiError} */
  async complete(): Promise<void> {
    await dataOf(api.POST('/call-center/calls/{call_id}/transfer/complete', this.path))
  }

  /** Brings the caller back. @throws {ApiError} */
  async cancel(): Promise<void> {
    await dataOf(api.DELETE('/call-center/calls/{call_id}/transfer', this.path))
  }

  /** What was said of one that has come to nothing is read. */
  dismiss(): void {
    this.set(null)
  }

  /** The call is over. */
  close(): void {
    this.isOver = true
    this.watch?.close()
  }

  private get path() {
    return { params: { path: { call_id: this.callId } } }
  }

  private told(status: string): void {
    const { current } = this
    // What comes on the stream may be quicker than the answer of the request.
    if (!current || (status === 'initiated' && current.status !== 'starting')) return
    this.set({ ...current, status })
    if (status !== 'initiated') this.watch?.close()
  }

  private set(handover: Handover | null): void {
    this.current = handover
    this.changed(handover)
  }
}
