/** Streams the events of webhooks to the people who are online, and further events that only streams get. */
import type { Logger } from 'pino'
import type { EntityManager } from 'typeorm'
import { afterCommit } from '../../infrastructure/database/database.js'
import type { EventSink, WorkspaceEvent } from '../../infrastructure/database/events.js'
import { maskedDetails } from '../../infrastructure/http/masked-secrets.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { Audience } from './audience.js'
import type { EventHub } from './event-hub.js'
import type { StreamEventName } from './stream-events.js'

/**
 * Which streams get an event of a call: those of the people in it too, those of its agents and about it, or only those
 * about the call.
 */
type Recipients = 'people' | 'agents and watchers' | 'watchers' | 'watching agents'

/** Streamed events and their audience; other events are not streamed. */
const recipientsOf: Readonly<Partial<Record<string, Recipients>>> = {
  'call.created': 'people',
  'call.ringing': 'people',
  'call.answered': 'people',
  'call.started': 'people',
  'call.ended': 'people',
  'recording.started': 'agents and watchers',
  'recording.paused': 'agents and watchers',
  'recording.resumed': 'agents and watchers',
  'recording.completed': 'agents and watchers',
  'recording.ready': 'watchers',
  'voicemail.received': 'watchers',
  'transcription.started': 'watchers',
  'transcription.dialogue': 'watchers',
  'transcription.completed': 'watchers',
  'transcription.ready': 'watchers',
  'call.ivr_collected': 'watching agents',
  'call.keys': 'watching agents',
  'call.machine_detection': 'watching agents',
  'call.queued': 'watching agents',
  'call.node': 'watching agents',
  'call.action': 'watching agents',
  'call.callback': 'watching agents',
  'call.tool': 'watching agents',
  'call.transfer': 'watching agents',
  'call.stream': 'watching agents',
} satisfies Partial<Record<StreamEventName, Recipients>>

interface Options {
  hub: EventHub
  /** The next sink, in the same transaction. */
  next: EventSink
  audienceOf: (
    workspace: Owner,
    callId: string,
  ) => Promise<Record<'agents' | 'clients' | 'present', readonly string[]>>
  log: Logger
}

const noParties = { agents: [], clients: [], present: [] }

export class StreamedEvents implements EventSink {
  /** Events of a call under way, to keep their order. */
  private readonly publishing = new Map<string, Promise<void>>()

  constructor(private readonly options: Options) {}

  async record(tx: EntityManager, events: readonly WorkspaceEvent[]): Promise<void> {
    const { hub } = this.options
    await this.options.next.record(tx, events)
    const heard = events.filter(({ event, workspace_id }) => recipientsOf[event] && hub.isHeard(workspace_id))
    if (heard.length > 0) afterCommit(tx, () => this.publishByCall(heard))
  }

  private publishByCall(events: readonly WorkspaceEvent[]): void {
    const byCall = new Map<string, WorkspaceEvent[]>()
    for (const event of events) {
      const callId = callOf(event)
      if (callId) byCall.set(callId, [...(byCall.get(callId) ?? []), event])
    }
    for (const [callId, those] of byCall) {
      const published = (this.publishing.get(callId) ?? Promise.resolve())
        .then(async () => this.publish(callId, those))
        .catch((error: unknown) =>
          this.options.log.warn(
            { event: 'stream.events_not_published', err: error },
            'a call’s events were not streamed',
          ),
        )
        .finally(() => {
          if (this.publishing.get(callId) === published) this.publishing.delete(callId)
        })
      this.publishing.set(callId, published)
    }
  }

  private async publish(callId: string, events: readonly WorkspaceEvent[]): Promise<void> {
    const { hub, audienceOf } = this.options
    const isForClients = events.some(({ event }) => recipientsOf[event] !== 'watching agents')
    const workspace = { id: events[0]?.workspace_id ?? '' }
    const { agents, clients, present } = isForClients ? await audienceOf(workspace, callId) : noParties
    for (const { id, event, workspace_id, created_at, data } of events) {
      const recipients = recipientsOf[event]
      const watchers = recipients === 'watching agents' ? 'agents' : 'all'
      // Agents see the timeline, and not the secrets of the customer's servers.
      const payload = shown(watchers === 'agents' ? maskedDetails(data) : data)
      const to: Audience = {
        ...(recipients === 'people' && { agents, clients }),
        ...(recipients === 'agents and watchers' && { agents }),
        // A client who has declined or left may still have a stream about the call.
        ...((recipients === 'watchers' || recipients === 'agents and watchers') && {
          watchingClients: present,
        }),
        watchers,
      }
      hub.publish({ id, workspace_id, event, to, call_id: callId, at: created_at, data: payload })
    }
  }
}

function callOf({ data }: WorkspaceEvent): string | undefined {
  const { call_id } = data as { call_id?: unknown }
  return typeof call_id === 'string' ? call_id : undefined
}

/** The cost of a call is for the workspace, and not for the people in the call. */
function shown(data: object): object {
  return Object.fromEntries(Object.entries(data).filter(([name]) => name !== 'cost'))
}
