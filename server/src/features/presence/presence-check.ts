/**
 * Looks now and then for changes of presence that were not reported, such as a phone that was lost while the SIP edge
 * was restarted. Checks only workspaces with listeners.
 */
import type { Logger } from 'pino'
import type { EventHub } from '../realtime/event-hub.js'
import type { PresenceAnnouncer } from './presence-announcer.js'
import type { Presence } from './presence.js'
import type { SeenStates } from './seen-states.js'

const everyMs = 60_000

/** After an interruption, later changes are reported again: check soon for the earlier ones. */
const soonMs = 1_000

interface Parts {
  presence: Pick<Presence, 'onlineIn'>
  seen: SeenStates
  hub: Pick<EventHub, 'isHeard'>
  notifier: PresenceAnnouncer
  log: Logger
}

export class PresenceCheck {
  private timer: NodeJS.Timeout | undefined
  private running = Promise.resolve()
  private stopped = false

  constructor(private readonly parts: Parts) {}

  start(): void {
    this.runIn(everyMs)
  }

  /** Changes until now may not have been reported. */
  soon(): void {
    this.runIn(soonMs)
  }

  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    await this.running
  }

  private runIn(ms: number): void {
    clearTimeout(this.timer)
    if (this.stopped) return
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.running = this.running.then(async () => this.runOnce())
    }, ms)
  }

  private async runOnce(): Promise<void> {
    try {
      await this.run()
    } catch (error) {
      this.parts.log.warn({ err: error }, 'states of agents could not be checked')
    }
    if (!this.timer) this.runIn(everyMs)
  }

  private async run(): Promise<void> {
    const { presence, seen, hub, notifier } = this.parts
    const seenOnline = seen.online()
    for (const workspaceId of notifier.workspaces()) {
      if (this.stopped) return
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
