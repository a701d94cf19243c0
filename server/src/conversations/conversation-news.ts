/**
 * What happens in conversations, told to the agents who may see them in the moment of the telling, and to nobody else.
 * What may not be lost is in the tables and told by webhooks: here it is told to who listens.
 */
import type { Logger } from 'pino'
import { In } from 'typeorm'
import type { Database } from '../database/database.js'
import { newId } from '../database/ids.js'
import type { Owner } from '../database/workspace-table.js'
import { grouped } from '../grouped.js'
import type { MessageEvent } from '../messages/message-events.js'
import type { EventHub } from '../stream/event-hub.js'
import type { RecentAgents } from '../stream/recent-agents.js'
import { audienceOf } from './conversation-audience.js'
import type { ConversationPresenter } from './conversation-presenter.js'
import { Conversation } from './conversation.entity.js'

/** Told with one look into the tables. */
const toldAtOnce = 200

/** What waits to be told in one workspace; streams keep less. */
const maxWaiting = 5_000

/** Something to tell, of one conversation. */
interface News {
  readonly id: string
  readonly event: string
  readonly at: Date
  readonly conversation_id: string
  /** What is told beside the conversation as it is when it is told. */
  readonly data: object
}

interface Options {
  database: Database
  hub: EventHub
  agents: RecentAgents
  presenter: ConversationPresenter
  log: Logger
}

export class ConversationNews {
  /** By workspace; there is an entry while some of it is being told. */
  private readonly waiting = new Map<string, News[]>()
  private readonly telling = new Set<Promise<void>>()

  constructor(private readonly options: Options) {}

  /** Tells of what became of messages of one workspace. */
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

  /** Tells of a conversation itself. @param changed fields of it, or `notes` */
  changed(workspaceId: string, conversation_id: string, changed: readonly string[]): void {
    const event = { id: newId('evt'), event: 'conversation.updated', at: new Date() }
    this.add(workspaceId, [{ ...event, conversation_id, data: { changed } }])
  }

  /** Tells nothing any more once what is being told is told. */
  async stop(): Promise<void> {
    for (const news of this.waiting.values()) news.length = 0
    await Promise.all(this.telling)
  }

  private add(workspaceId: string, news: readonly News[]): void {
    const { hub, log } = this.options
    if (!hub.isHeard(workspaceId)) return
    const waiting = this.waiting.get(workspaceId) ?? []
    const room = maxWaiting - waiting.length
    if (room < news.length)
      log.warn({ workspaceId, left: news.length - room }, 'news of conversations left out')
    waiting.push(...news.slice(0, room))
    if (this.waiting.has(workspaceId)) return
    this.waiting.set(workspaceId, waiting)
    const told = this.tellAll({ id: workspaceId }, waiting).finally(() => this.telling.delete(told))
    this.telling.add(told)
  }

  /** One after the other, so that nobody hears of a later thing first. */
  private async tellAll(workspace: Owner, waiting: News[]): Promise<void> {
    while (waiting.length > 0) {
      try {
        await this.tell(workspace, waiting.splice(0, toldAtOnce))
      } catch (error) {
        this.options.log.warn({ err: error }, 'news of conversations were not told')
      }
    }
    this.waiting.delete(workspace.id)
  }

  private async tell(workspace: Owner, news: readonly News[]): Promise<void> {
    const { database, hub, agents, presenter } = this.options
    const listeners = agents.of(workspace)
    if (listeners.length === 0) return
    const conversations = await database.platformTable(Conversation).findBy({
      id: In([...new Set(news.map(({ conversation_id }) => conversation_id))]),
      workspace_id: workspace.id,
    })
    const [audience, shown] = await Promise.all([
      audienceOf(database, conversations, listeners),
      presenter.present(workspace, conversations),
    ])
    const byId = new Map(
      conversations.map((one, index) => [one.id, { to: audience(one), conversation: shown[index] }]),
    )
    for (const { id, event, at, conversation_id, data } of news) {
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
