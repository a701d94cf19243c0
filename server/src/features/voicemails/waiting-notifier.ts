/** Tells agents at their streams that a missed call or a voicemail of theirs was marked, came, or was transcribed. */
import type { Logger } from 'pino'
import type { Database } from '../../infrastructure/database/database.js'
import type { EventHub } from '../realtime/event-hub.js'
import { isVoicemailOf } from './voicemail-audience.js'

export type Waiting = 'missed_calls' | 'voicemails'

interface Options {
  database: Database
  hub: Pick<EventHub, 'isHeard' | 'publish'>
  log: Logger
}

export class WaitingNotifier {
  constructor(private readonly options: Options) {}

  /** Never throws: pages also fetch their lists when a stream opens. */
  changed(changed: Waiting, workspaceId: string, callId: string): void {
    if (!this.options.hub.isHeard(workspaceId)) return
    this.publish(changed, workspaceId, callId).catch((error: unknown) =>
      this.options.log.warn(
        { event: 'stream.waiting_not_published', err: error },
        'a change of what waits for agents was not streamed',
      ),
    )
  }

  private async publish(changed: Waiting, workspace_id: string, call_id: string): Promise<void> {
    const { database, hub } = this.options
    const rows = await database.source.query<{ id: string }[]>(
      `SELECT agent.id FROM agents agent JOIN calls ON calls.id = ? AND calls.workspace_id = agent.workspace_id
       WHERE agent.workspace_id = ? AND agent.is_active = 1
         AND ${isVoicemailOf('agent.id', "(agent.role <> 'member' OR agent.is_admin = 1)")}`,
      [call_id, workspace_id],
    )
    const agents = rows.map(({ id }) => id)
    if (agents.length > 0)
      hub.publish({ event: 'waiting.changed', workspace_id, to: { agents }, data: { changed, call_id } })
  }
}
