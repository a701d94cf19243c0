/** Publishes that a recording is ready: in the call's timeline, and to subscribed webhooks. */
import type { EntityManager } from 'typeorm'
import { afterCommit } from '../../infrastructure/database/database.js'
import type { EventSink } from '../../infrastructure/database/events.js'
import { newId } from '../../infrastructure/database/ids.js'
import type { Recording, RecordingKind } from './recording.entity.js'

/** Names on a call's timeline, and of events that webhooks ask for. */
const names = {
  call: { timeline: 'call.recording_ready', event: 'recording.ready' },
  voicemail: { timeline: 'call.voicemail_ready', event: 'voicemail.received' },
} as const

export type TimelineEvent =
  | (typeof names)[RecordingKind]['timeline']
  | 'call.recording_started'
  | 'call.recording_paused'
  | 'call.recording_resumed'

/** Adds to the timeline of a call, if that is still there. */
export type TimelineNote = (
  tx: EntityManager,
  call: { id: string; workspace_id: string },
  event: TimelineEvent,
  details: object,
) => Promise<void>

/** The events of a recording before it is ready. */
export function beginningOf({ id: recording_id, call_id, kind }: Recording): object {
  return { recording_id, call_id, kind }
}

export class Announcements {
  /** @param changed called after the commit when a call is recorded in another way, or no more */
  constructor(
    private readonly events: EventSink,
    private readonly note: TimelineNote,
    private readonly changed: (workspaceId: string, callId: string) => void,
  ) {}

  /** The switch has begun to write it; in the transaction that notes so. */
  async started(tx: EntityManager, recording: Recording): Promise<void> {
    await this.live(tx, 'recording.started', recording)
  }

  /** The switch writes it no more; in the transaction that makes it so. */
  async completed(tx: EntityManager, recording: Recording): Promise<void> {
    await this.live(tx, 'recording.completed', recording)
  }

  /**
   * Silence is recorded in place of what is said, or no more; in the transaction that notes so.
   * @param agentId the agent who asked for it; null: an API key
   */
  async paused(tx: EntityManager, recording: Recording, isPaused: boolean, agentId: string | null) {
    const { id: recording_id, call_id: id, workspace_id } = recording
    const verb = isPaused ? 'paused' : 'resumed'
    await this.note(tx, { id, workspace_id }, `call.recording_${verb}`, { recording_id, agent_id: agentId })
    await this.live(tx, `recording.${verb}`, recording)
  }

  private async live(tx: EntityManager, event: string, recording: Recording): Promise<void> {
    const { workspace_id, call_id } = recording
    const data = beginningOf(recording)
    await this.events.record(tx, [
      { id: newId('evt'), event, workspace_id, created_at: new Date(), data, live_only: true },
    ])
    afterCommit(tx, () => this.changed(workspace_id, call_id))
  }

  /** In the transaction that makes the recording ready. */
  async ready(tx: EntityManager, recording: Recording): Promise<void> {
    const { id, workspace_id, call_id, kind, format, channels, duration_ms, size_bytes } = recording
    const { timeline, event } = names[kind]
    const facts = { recording_id: id, duration: (duration_ms ?? 0) / 1000 }
    await this.note(tx, { id: call_id, workspace_id }, timeline, facts)
    const created_at = new Date()
    const parties = { from: recording.from_number, to: recording.to_number }
    const data = { ...facts, call_id, ...parties, format, channels, size: size_bytes }
    await this.events.record(tx, [{ id: newId('evt'), event, workspace_id, created_at, data }])
  }
}
