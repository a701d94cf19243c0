/** Push notices for apps on registered devices, running or not. */
import type { AppUser } from '../model/app-user.js'
import type { EntityManager } from 'typeorm'
import { afterCommit } from '../../../infrastructure/database/database.js'
import type { EventSink, WorkspaceEvent } from '../../../infrastructure/database/events.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { NotifiedDevices } from '../../devices/notified-devices.js'
import type { PushService } from '../../push/push.service.js'
import type { PushedRing } from '../../push/pushed-ring.js'
import type { AppSource } from '../dialling/agent-reachability.js'
import type { NotificationChannel, IncomingCallNotice, TokenMaker } from './incoming-call-notifier.js'
import type { ClientLegEnd } from '../model/termination.js'
import type { IssuedCallTokens } from './issued-call-tokens.js'

interface Services {
  readonly push: Pick<PushService, 'ring'>
  readonly devices: Pick<NotifiedDevices, 'agentsIn' | 'reaches'>
  readonly given: IssuedCallTokens
  /** WebSocket URL for the apps of a workspace. */
  readonly socketUrl: (workspaceId: string, callId: string) => string
}

interface Rung {
  readonly ring: PushedRing
  /** Registration ids, by the device's own name. */
  readonly devices: Map<string, string>
}

export class PushChannel implements NotificationChannel, AppSource {
  private readonly rung = new WeakMap<IncomingCallNotice, Rung>()
  /** Answered rings by call id, until the call is over. */
  private readonly answered = new Map<string, PushedRing[]>()

  constructor(private readonly services: Services) {}

  async agentsIn(workspace: Owner): Promise<ReadonlySet<string>> {
    return this.services.devices.agentsIn(workspace)
  }

  async reaches(workspace: Owner, person: AppUser): Promise<boolean> {
    return this.services.devices.reaches({ ...person, workspace_id: workspace.id })
  }

  ring(notice: IncomingCallNotice, makeToken: TokenMaker): void {
    const { workspace_id, call_id, person, transfer } = notice
    const devices = new Map<string, string>()
    const ring = this.services.push.ring(
      { ...person, workspace_id },
      {
        call: {
          ...{ workspace_id, call_id, ws_url: this.services.socketUrl(workspace_id, call_id) },
          ring_timeout_secs: notice.ringTimeout,
          caller: { ...notice.from, avatar: null },
          callee: notice.to,
          ...{ is_transfer: transfer !== null, transfer_reason: transfer?.reason ?? null },
          is_video: notice.isVideo,
        },
        mintToken: ({ id, device_id, credential }) => {
          const { token, channelId } = makeToken(credential ?? undefined)
          devices.set(device_id, id)
          this.services.given.add(notice, channelId, device_id)
          return token
        },
      },
    )
    this.rung.set(notice, { ring, devices })
  }

  cancel(notice: IncomingCallNotice, reason: ClientLegEnd, answeredBy: string | null): void {
    const rung = this.rung.get(notice)
    if (!rung) return
    const device = rung.devices.get(this.services.given.deviceOf(notice, answeredBy) ?? '')
    rung.ring.cancel(reason, device)
    if (device === undefined) return
    this.answered.set(notice.call_id, [...(this.answered.get(notice.call_id) ?? []), rung.ring])
  }

  /** A call is over: notifies the devices that had answered it. */
  callEnded(callId: string): void {
    for (const ring of this.answered.get(callId) ?? []) ring.ended('hangup')
    this.answered.delete(callId)
  }
}

/** Observes ends of calls as they are written. */
export class CallEnds implements EventSink {
  constructor(
    private readonly next: EventSink,
    private readonly ended: (callId: string) => void,
  ) {}

  async record(tx: EntityManager, events: readonly WorkspaceEvent[]): Promise<void> {
    await this.next.record(tx, events)
    for (const { event, data } of events) {
      const { call_id } = data as { call_id?: unknown }
      if (event === 'call.ended' && typeof call_id === 'string') afterCommit(tx, () => this.ended(call_id))
    }
  }
}
