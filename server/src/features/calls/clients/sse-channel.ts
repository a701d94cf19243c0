/** Notices on apps' live streams: `call.ring` with a token for each, and `call.canceled`. */
import type { AppUser } from '../model/app-user.js'
import type { Subscriber } from '../../realtime/audience.js'
import type { EventHub } from '../../realtime/event-hub.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { AppSource } from '../dialling/agent-reachability.js'
import type { NotificationChannel, IncomingCallNotice, TokenMaker } from './incoming-call-notifier.js'
import type { ClientLegEnd } from '../model/termination.js'
import type { IssuedCallTokens } from './issued-call-tokens.js'

export class SseChannel implements NotificationChannel, AppSource {
  /** Channels of the tokens sent to streams, to find the one whose app has answered. */
  private readonly channels = new WeakMap<IncomingCallNotice, Map<string, string>>()

  constructor(
    private readonly hub: Pick<EventHub, 'publish' | 'sessions' | 'streamsOf'>,
    /** WebSocket URL for the apps of a workspace. */
    private readonly socketUrl: (workspaceId: string, callId: string) => string,
    private readonly given: IssuedCallTokens,
  ) {}

  async agentsIn(workspace: Owner): Promise<ReadonlySet<string>> {
    return Promise.resolve(this.hub.sessions(workspace).agents)
  }

  async reaches(workspace: Owner, { kind, sub }: AppUser): Promise<boolean> {
    const streams = this.hub.streamsOf(workspace, { kind, id: sub })
    return Promise.resolve(streams.some(({ call_id }) => call_id === null))
  }

  ring(notice: IncomingCallNotice, makeToken: TokenMaker): void {
    const channels = this.channels.get(notice) ?? new Map<string, string>()
    this.channels.set(notice, channels)
    this.hub.publish({
      ...addressOf(notice),
      event: 'call.ring',
      data: ({ stream_id, device_id, credential }) => {
        const { token, channelId } = makeToken(credential)
        channels.set(stream_id, channelId)
        this.given.add(notice, channelId, device_id)
        return {
          call_id: notice.call_id,
          call_token: token,
          ws_url: this.socketUrl(notice.workspace_id, notice.call_id),
          from: notice.from,
          to: notice.to,
          timestamp: new Date().toISOString(),
        }
      },
    })
  }

  cancel(notice: IncomingCallNotice, reason: ClientLegEnd, answeredBy: string | null): void {
    const channels = this.channels.get(notice)
    const device = this.given.deviceOf(notice, answeredBy)
    const data = { call_id: notice.call_id, reason, timestamp: new Date().toISOString() }
    const isWinner = ({ stream_id, device_id }: Subscriber) =>
      channels?.get(stream_id) === answeredBy || (device !== null && device === device_id)
    this.hub.publish({
      ...addressOf(notice),
      event: 'call.canceled',
      data: answeredBy === null ? data : (stream) => (isWinner(stream) ? undefined : data),
    })
  }
}

function addressOf({ workspace_id, call_id, person }: IncomingCallNotice) {
  const to = person.kind === 'agent' ? { agents: [person.sub] } : { clients: [person.sub] }
  return { workspace_id, call_id, to }
}
