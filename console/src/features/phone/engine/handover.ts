/** Handing one call over: at once, or after speaking with the target. What comes of it the call's own timeline says. */
import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { meQuery } from '../../../api/me'
import { queryClient } from '../../../api/query-client'

type CallDetail = components['schemas']['AgentCallDetail']

export interface Handover {
  /** Whom the call is handed over to, as the agent said it. */
  readonly to: string
  readonly isConsulting: boolean
  /** `starting`, `calling`, `consulting`, `joining`, or what has come of it. */
  readonly status: string
  /** How many there have been before in this call. */
  readonly before: number
}

export interface HandoverWishes {
  /** The agent speaks with the target first. */
  consult: boolean
  /** Shown to whom the call comes. */
  reason: string
  /** The target's name, for people. */
  to: string
}

/** The timeline is asked so often. */
const lookMs = 1_500

const underWay = new Set(['calling', 'consulting', 'joining'])

/** Whether something is still to come of it. */
export function isUnderWay({ status }: Handover): boolean {
  return underWay.has(status)
}

export class Handovers {
  private timer: number | undefined
  private isOver = false

  /**
   * @param current one that is under way since before the page was loaded anew
   * @param changed told what comes of it; null when there is nothing to tell
   */
  constructor(
    private readonly callId: string,
    private current: Handover | null,
    private readonly changed: (handover: Handover | null) => void,
  ) {
    if (current) void this.look()
  }

  /**
   * Resolves when it has begun.
   * @param target an agent's or SIP account's username, an extension, or the id of a team
   * @throws {ApiError}
   */
  async start(target: string, { consult, reason, to }: HandoverWishes): Promise<void> {
    window.clearTimeout(this.timer)
    this.set({ to, isConsulting: consult, status: 'starting', before: 0 })
    try {
      const before = transfersOf(await this.detail()).filter(isBeginning).length
      const body = { target, consult, ...(reason && { reason }) }
      await dataOf(api.POST('/call-center/calls/{call_id}/transfer', { ...this.path, body }))
      this.set({ to, isConsulting: consult, status: 'calling', before })
      this.lookSoon()
    } catch (error) {
      this.set(null)
      throw error
    }
  }

  /** Joins caller and target: now, or as soon as they answer. @throws {ApiError} */
  async complete(): Promise<void> {
    await dataOf(api.POST('/call-center/calls/{call_id}/transfer/complete', this.path))
    this.told('joining')
  }

  /** Brings the caller back. @throws {ApiError} */
  async cancel(): Promise<void> {
    await dataOf(api.DELETE('/call-center/calls/{call_id}/transfer', this.path))
    this.told('canceled')
  }

  /** What was said of one that has come to nothing is read. */
  dismiss(): void {
    this.set(null)
  }

  /** The call is over. */
  close(): void {
    this.isOver = true
    window.clearTimeout(this.timer)
  }

  private get path() {
    return { params: { path: { call_id: this.callId } } }
  }

  private async detail(): Promise<CallDetail> {
    return dataOf(api.GET('/call-center/calls/{id}', { params: { path: { id: this.callId } } }))
  }

  private lookSoon(): void {
    window.clearTimeout(this.timer)
    if (!this.isOver && this.current && isUnderWay(this.current))
      this.timer = window.setTimeout(() => void this.look(), lookMs)
  }

  private async look(): Promise<void> {
    try {
      const [detail, { id }] = await Promise.all([this.detail(), queryClient.query(meQuery)])
      const status = this.current && statusOf(detail, this.current, id)
      if (status) this.told(status)
    } catch {
      // It is asked again.
    }
    this.lookSoon()
  }

  private told(status: string): void {
    const { current } = this
    if (current && isUnderWay(current) && status !== current.status) this.set({ ...current, status })
  }

  private set(handover: Handover | null): void {
    this.current = handover
    if (!this.isOver) this.changed(handover)
  }
}

type CallEvent = CallDetail['events'][number]

const transfersOf = ({ events }: CallDetail) => events.filter(({ event }) => event === 'call.transfer')

const isBeginning = ({ details }: CallEvent) => details?.['status'] === 'initiated'

/** What a call says of the latest handover; undefined: nothing new. */
function statusOf(
  call: CallDetail,
  { before, status, isConsulting }: Handover,
  ownId: string,
): string | undefined {
  const transfers = transfersOf(call)
  const begun = transfers.filter(isBeginning)[before]
  if (!begun) return undefined
  const outcome = transfers.slice(transfers.indexOf(begun)).find((event) => !isBeginning(event))
  if (outcome) return String(outcome.details?.['status'])
  return isConsulting && status === 'calling' && hasAnswered(call, begun, ownId) ? 'consulting' : undefined
}

/** Whether somebody has come into a call since a handover began who is not the agent, come back to it. */
function hasAnswered({ legs }: CallDetail, { created_at }: CallEvent, ownId: string): boolean {
  return legs.some(
    ({ role, agent, ...leg }) =>
      role === 'operator' &&
      leg.created_at >= created_at &&
      leg.answered_at !== null &&
      leg.ended_at === null &&
      (agent === null || agent.id !== ownId),
  )
}
