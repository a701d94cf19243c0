/** Transfer of a call: blind, or after consultation with the target. The call's timeline reports its result. */
import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { meQuery } from '../../../api/me'
import { queryClient } from '../../../api/query-client'

type CallDetail = components['schemas']['AgentCallDetail']

export interface Handover {
  /** Target of the transfer, as the agent entered it. */
  readonly to: string
  readonly isConsulting: boolean
  /** `starting`, `calling`, `consulting`, `three_way`, `joining`, or the result. */
  readonly status: string
  /** Number of earlier transfers of this call. */
  readonly before: number
}

export interface HandoverWishes {
  /** The agent talks with the target first. */
  consult: boolean
  /** Shown to the target. */
  reason: string
  /** Display name of the target. */
  to: string
}

/** Polling interval of the timeline. */
const lookMs = 1_500

const underWay = new Set(['calling', 'consulting', 'three_way', 'joining'])

/** Whether the transfer is still in progress. */
export function isUnderWay({ status }: Handover): boolean {
  return underWay.has(status)
}

export class Handovers {
  private timer: number | undefined
  private isOver = false

  /**
   * @param current a transfer in progress, restored after a reload
   * @param changed called with each new state; null when there is nothing to show
   */
  constructor(
    private readonly callId: string,
    private current: Handover | null,
    private readonly changed: (handover: Handover | null) => void,
  ) {
    if (current) void this.look()
  }

  /**
   * Resolves when the transfer has started.
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

  /** Connects caller and target: now, or as soon as the target answers. @throws {ApiError} */
  async complete(): Promise<void> {
    await dataOf(api.POST('/call-center/calls/{call_id}/transfer/complete', this.path))
    this.advance('joining')
  }

  /** Makes the consultation a three-way call. @throws {ApiError} */
  async startThreeWay(): Promise<void> {
    await dataOf(api.POST('/call-center/calls/{call_id}/transfer/three-way', this.path))
    this.advance('three_way')
  }

  /** Takes the caller back, or sends the target away. @throws {ApiError} */
  async cancel(): Promise<void> {
    await dataOf(api.DELETE('/call-center/calls/{call_id}/transfer', this.path))
    this.advance('canceled')
  }

  /** The agent has read the result. */
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
      if (status) this.advance(status)
    } catch {
      // Retried at the next poll.
    }
    this.lookSoon()
  }

  private advance(status: string): void {
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

const isThreeWay = ({ details }: CallEvent) => details?.['status'] === 'three_way'

const isBeginning = ({ details }: CallEvent) => details?.['status'] === 'initiated'

/** Status of the latest transfer in a call's timeline; undefined if nothing is new. */
function statusOf(
  call: CallDetail,
  { before, status, isConsulting }: Handover,
  ownId: string,
): string | undefined {
  const transfers = transfersOf(call)
  const begun = transfers.filter(isBeginning)[before]
  if (!begun) return undefined
  const news = transfers.slice(transfers.indexOf(begun)).filter((event) => !isBeginning(event))
  const outcome = news.find((event) => !isThreeWay(event))
  if (outcome) return String(outcome.details?.['status'])
  if (news.length > 0) return status === 'joining' ? undefined : 'three_way'
  return isConsulting && status === 'calling' && hasAnswered(call, begun, ownId) ? 'consulting' : undefined
}

/** Whether a participant joined after the transfer began, other than the agent returning to the call. */
function hasAnswered({ legs }: CallDetail, { created_at }: CallEvent, ownId: string): boolean {
  return legs.some(
    ({ role, agent, ...leg }) =>
      role === 'destination' &&
      leg.created_at >= created_at &&
      leg.answered_at !== null &&
      leg.ended_at === null &&
      (agent === null || agent.id !== ownId),
  )
}
