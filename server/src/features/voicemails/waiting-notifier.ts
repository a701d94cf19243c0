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

/** A talk may settle hundreds of one caller's calls: the latest find nearly all of those who read about them. */
const mostCalls = 100

export class WaitingNotifier {
  constructor(private readonly options: Options) {}

  /** Never throws: pages also fetch their lists when a stream opens. */
  changed(changed: Waiting, workspaceId: string, ...callIds: readonly string[]): void {
    if (callIds.length === 0 || !this.options.hub.isHeard(workspaceId)) return
    this.publish(changed, workspaceId, callIds).catch((error: unknown) =>
      this.options.log.warn(
        { event: 'stream.waiting_not_published', err: error },
        'a change of what waits for agents was not streamed',
      ),
    )
  }

  /** One event for each agent, with the latest of their calls. */
  private async publish(changed: Waiting, workspace_id: string, callIds: readonly string[]): Promise<void> {
    const { database, hub } = this.options
    const rows = await database.source.query<{ id: string; call_id: string }[]>(
      `SELECT agent.id, MAX(calls.id) AS call_id
       FROM agents agent JOIN calls ON calls.id IN (?) AND calls.workspace_id = agent.workspace_id
       WHERE agent.workspace_id = ? AND agent.is_active = 1
         AND ${isVoicemailOf('agent.id', "(agent.role <> 'member' OR agent.is_admin = 1)")}
       GROUP BY agent.id`,
      [callIds.slice(-mostCalls), workspace_id],
    )
    for (const call_id of new Set(rows.map((row) => row.call_id))) {
      const agents = rows.filter((row) => row.call_id === call_id).map(({ id }) => id)
      hub.publish({ event: 'waiting.changed', workspace_id, to: { agents }, data: { changed, call_id } })
    }
  }
}
