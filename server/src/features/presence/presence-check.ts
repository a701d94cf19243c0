/**
 * Looks now and then for changes of presence that were not reported, such as a phone that was lost while the SIP edge
 * was restarted. Checks only workspaces with listeners.
 */
import type { Logger } from 'pino'
import type { EventHub } from '../realtime/event-hub.js'
import { RepeatingTask } from '../../lib/repeating-task.js'
import type { PresenceNotifier } from './presence-notifier.js'
import type { Presence } from './presence.js'
import type { SeenStates } from './seen-states.js'

const everyMs = 60_000

/** After an interruption, later changes are reported again: check soon for the earlier ones. */
const soonMs = 1_000

interface Parts {
  presence: Pick<Presence, 'onlineIn'>
  seen: SeenStates
  hub: Pick<EventHub, 'isHeard'>
  notifier: PresenceNotifier
  log: Logger
}

export class PresenceCheck {
  private readonly task: RepeatingTask

  constructor(private readonly parts: Parts) {
    const failure = ['presence.check_failed', 'states of agents could not be checked'] as const
    this.task = new RepeatingTask({ everyMs, log: parts.log, failure }, async (stopped) => this.run(stopped))
  }

  start(): void {
    this.task.start()
  }

  /** Changes until now may not have been reported. */
  soon(): void {
    this.task.soon(soonMs)
  }

  async stop(): Promise<void> {
    await this.task.stop()
  }

  private async run(stopped: AbortSignal): Promise<void> {
    const { presence, seen, hub, notifier } = this.parts
    const seenOnline = seen.online()
    for (const workspaceId of notifier.workspaces()) {
      if (stopped.aborted) return
      if (!hub.isHeard(workspaceId)) {
        notifier.forget(workspaceId)
        continue
      }
      const online = await presence.onlineIn({ id: workspaceId })
      for (const [id, { state }] of online) if (seen.find(id)?.state !== state) notifier.agentChanged(id)
      for (const id of seenOnline.get(workspaceId) ?? []) if (!online.has(id)) notifier.agentChanged(id)
    }
  }
}
