/** Handles the event stream's call events for this phone. */
import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import type { LiveEvent } from '../../../live/live-stream'
import { type Unreached, unreachedOf } from './call-outcome'
import type { CurrentCall } from './current-call'
import type { Party } from './kept-call'
import type { Rings } from './rings'

interface Desk {
  current(): CurrentCall | null
  /** The called party has answered. */
  answered(callId: string): void
  /** The called party has not answered. */
  unreached(callId: string, why: Unreached): void
}

/** How many of the page's calls are remembered, so that their end events are recognised. */
const rememberedCalls = 20

export class CallNews {
  /** Ids of calls that this page had, has, or rang for, newest last. */
  private ours: string[] = []

  constructor(
    private readonly rings: Rings,
    private readonly desk: Desk,
  ) {}

  /** Leaders also get events of their teams' calls, which are not among these. */
  isOurs(callId: string): void {
    this.ours = [...this.ours.filter((one) => one !== callId), callId].slice(-rememberedCalls)
  }

  /** @returns whether the event belongs to a call of this phone */
  handle(event: LiveEvent): boolean {
    const callId = String(event['call_id'])
    switch (event.event) {
      case 'stream.opened':
        if (event['resumed'] !== true) this.missed()
        return false
      case 'call.ring':
        this.rung(callId, event)
        break
      case 'call.answered':
        this.desk.answered(callId)
        break
      case 'call.ended': {
        this.rings.remove(callId)
        const why = unreachedOf({ status: event['status'], hangup_cause: event['hangup_cause'] })
        if (why) this.desk.unreached(callId, why)
        break
      }
      case 'call.canceled':
        this.rings.remove(callId)
        break
    }
    return this.ours.includes(callId)
  }

  private rung(callId: string, event: LiveEvent): void {
    if (this.desk.current()?.callId === callId) return
    this.isOurs(callId)
    this.rings.add({
      callId,
      from: event['from'] as Party,
      to: event['to'] as Party,
      wsUrl: String(event['ws_url']),
      token: String(event['call_token']),
    })
  }

  /** Events may have been missed. */
  private missed(): void {
    this.rings.doubt()
    const current = this.desk.current()
    if (current?.kind !== 'outbound' || current.since !== null) return
    const { callId } = current
    void dataOf(api.GET('/call-center/calls/{id}', { params: { path: { id: callId } } }))
      .then(({ answered_at }) => answered_at !== null && this.desk.answered(callId))
      .catch(() => undefined)
  }
}
