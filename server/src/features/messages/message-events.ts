/** Publishes changes of messages: to webhooks in the same transaction, then to live streams. */
import type { EntityManager } from 'typeorm'
import { afterCommit } from '../../infrastructure/database/database.js'
import type { EventSink, WorkspaceEvent } from '../../infrastructure/database/events.js'
import { newId } from '../../infrastructure/database/ids.js'
import { grouped } from '../../lib/grouped.js'
import type { MessagePresenter, ShownMessage } from './message.presenter.js'
import { eventsOf } from './message-states.js'
import type { Message } from './message.entity.js'

/** An event whose `data` is the message. */
export interface MessageEvent extends WorkspaceEvent {
  readonly data: ShownMessage
}

interface Options {
  presenter: MessagePresenter
  /** Gets events in the transaction. */
  webhooks: EventSink
  /** Gets the events of one workspace after the commit. */
  stream: (events: readonly MessageEvent[]) => void
}

export class MessageEvents {
  constructor(private readonly options: Options) {}

  /** Publishes the current state of messages; `queued` and `sending` have no event. */
  async record(tx: EntityManager, messages: readonly Message[]): Promise<void> {
    const { presenter, webhooks, stream } = this.options
    const published = messages.filter(({ status }) => eventsOf[status])
    for (const [workspace_id, those] of grouped(published, (message) => message.workspace_id)) {
      const shown = await presenter.present(those, tx)
      const events = shown.map((data) => ({
        ...{ id: newId('evt'), event: eventsOf[data.status] ?? '', workspace_id },
        ...{ created_at: new Date(data.updated_at), data },
      }))
      await webhooks.record(tx, events)
      afterCommit(tx, () => stream(events))
    }
  }
}
