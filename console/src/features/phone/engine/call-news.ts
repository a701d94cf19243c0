/** What the event stream tells of the calls of this phone. */
import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import type { LiveEvent } from '../../../live/live-stream'
import { type Unreached, unreachedOf } from './call-outcome'
import type { CurrentCall } from './current-call'
import type { Party } from './kept-call'
import type { Rings } from './rings'

interface Desk {
  current(): CurrentCall | null
  /** Whom one has called has answered. */
  answered(callId: string): void
  /** Nobody has. */
  unreached(callId: string, why: Unreached): void
}

/** Of so many calls that this page has had, the end is known as one's own. */
const rememberedCalls = 20

export class CallNews {
  /** Ids of calls that this page has, had, or was rung for, the latest last. */
  private ours: string[] = []

  constructor(
    private readonly rings: Rings,
    private readonly desk: Desk,
  ) {}

  /** Leaders are told of the calls of their teams, too: these are not. */
  isOurs(callId: string): void {
    this.ours = [...this.ours.filter((one) => one !== callId), callId].slice(-rememberedCalls)
  }

  /** Returns whether it is of a call of this phone. */
  told(event: LiveEvent): boolean {
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

  /** Something may have happened of which nothing was told. */
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
