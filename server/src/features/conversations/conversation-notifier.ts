/**
 * Streams events of conversations to the agents who may see the conversation at that time. Events that must not be lost
 * are in the tables and go to webhooks; this only reaches open streams.
 */
import type { Logger } from 'pino'
import { In } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { grouped } from '../../lib/grouped.js'
import type { MessageEvent } from '../messages/message-events.js'
import type { EventHub } from '../realtime/event-hub.js'
import type { RecentAgents } from '../realtime/recent-agents.js'
import { audienceOf } from './conversation-audience.js'
import type { ConversationPresenter } from './conversation.presenter.js'
import { Conversation } from './conversation.entity.js'

/** Events that are published with one query. */
const publishedAtOnce = 200

/** Events of one workspace that wait; streams store fewer. */
const maxWaiting = 5_000

/** An event of one conversation. */
interface Notice {
  readonly id: string
  readonly event: string
  readonly at: Date
  readonly conversation_id: string
  /** Fields of the event besides the conversation, which is read when the event is published. */
  readonly data: object
}

interface Options {
  database: Database
  hub: EventHub
  agents: RecentAgents
  presenter: ConversationPresenter
  log: Logger
}

export class ConversationNotifier {
  /** By workspace; an entry exists while events of it are being published. */
  private readonly waiting = new Map<string, Notice[]>()
  private readonly publishing = new Set<Promise<void>>()

  constructor(private readonly options: Options) {}

  /** Publishes events of messages of one workspace. */
  messages(events: readonly MessageEvent[]): void {
    for (const [workspaceId, those] of grouped(events, ({ workspace_id }) => workspace_id)) {
      this.add(
        workspaceId,
        those.map(({ id, event, created_at: at, data }) => ({
          ...{ id, event, at, conversation_id: data.conversation_id, data },
        })),
      )
    }
  }

  /** Publishes a change of a conversation itself. @param changed its changed fields, or `notes` */
  changed(workspaceId: string, conversation_id: string, changed: readonly string[]): void {
    const event = { id: newId('evt'), event: 'conversation.updated', at: new Date() }
    this.add(workspaceId, [{ ...event, conversation_id, data: { changed } }])
  }

  /** Drops what waits, and resolves when the current events are published. */
  async stop(): Promise<void> {
    for (const notices of this.waiting.values()) notices.length = 0
    await Promise.all(this.publishing)
  }

  private add(workspaceId: string, notices: readonly Notice[]): void {
    const { hub, log } = this.options
    if (!hub.isHeard(workspaceId)) return
    const waiting = this.waiting.get(workspaceId) ?? []
    const room = maxWaiting - waiting.length
    if (room < notices.length)
      log.warn(
        { event: 'conversation.events_dropped', workspaceId, left: notices.length - room },
        'events of conversations were dropped',
      )
    waiting.push(...notices.slice(0, room))
    if (this.waiting.has(workspaceId)) return
    this.waiting.set(workspaceId, waiting)
    const published = this.publishAll({ id: workspaceId }, waiting).finally(() =>
      this.publishing.delete(published),
    )
    this.publishing.add(published)
  }

  /** One batch after the other, to keep the order of events. */
  private async publishAll(workspace: Owner, waiting: Notice[]): Promise<void> {
    while (waiting.length > 0) {
      try {
        await this.publish(workspace, waiting.splice(0, publishedAtOnce))
      } catch (error) {
        this.options.log.warn(
          { event: 'conversation.events_not_published', err: error },
          'events of conversations were not published',
        )
      }
    }
    this.waiting.delete(workspace.id)
  }

  private async publish(workspace: Owner, notices: readonly Notice[]): Promise<void> {
    const { database, hub, agents, presenter } = this.options
    const listeners = agents.of(workspace)
    if (listeners.length === 0) return
    const conversations = await database.platformTable(Conversation).findBy({
      id: In([...new Set(notices.map(({ conversation_id }) => conversation_id))]),
      workspace_id: workspace.id,
    })
    const [audience, shown] = await Promise.all([
      audienceOf(database, conversations, listeners),
      presenter.present(workspace, conversations),
    ])
    const byId = new Map(
      conversations.map((one, index) => [one.id, { to: audience(one), conversation: shown[index] }]),
    )
    for (const { id, event, at, conversation_id, data } of notices) {
      const known = byId.get(conversation_id)
      if (!known || known.to.length === 0) continue
      const { to, conversation } = known
      hub.publish({
        ...{ id, event, at, workspace_id: workspace.id, to: { agents: to } },
        data: { ...data, conversation },
      })
    }
  }
}
