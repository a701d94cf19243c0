/** Inbound messages from carriers, and their effects. */
import type { Logger } from 'pino'
import type { Conversations } from '../message-conversations.js'
import type { Database } from '../../../infrastructure/database/database.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { InboundMedia } from '../media/inbound-media.js'
import type { MessageEvents } from '../message-events.js'
import type { MessageSettingsService } from '../settings/message-settings.js'
import { InboundMessages } from './inbound-messages.js'
import { OptOutKeeper } from './opt-out-keeper.js'
import { OptOutReplies, type Reply } from './opt-out-replies.js'
import type { OptOuts } from './opt-outs.js'

interface Options {
  database: Database
  conversations: Conversations
  events: MessageEvents
  media: Pick<InboundMedia, 'fetchInbound'>
  optOuts: OptOuts
  settings: Pick<MessageSettingsService, 'get'>
  /** Whether words such as STOP are handled here: some carriers handle them. */
  heedsOptOuts: boolean
  /** Accepts a message of the platform’s own, once under a key, though its client has opted out. */
  send: (workspace: Owner, reply: Reply, key: string) => Promise<unknown>
  log: Logger
}

export class Inbound {
  readonly messages: InboundMessages
  private readonly replies: OptOutReplies

  constructor({ optOuts, settings, heedsOptOuts, send, ...options }: Options) {
    const { database, log } = options
    this.replies = new OptOutReplies({ database, send, log })
    const keeper = new OptOutKeeper(optOuts, this.replies, settings)
    this.messages = new InboundMessages({ ...options, optOuts: heedsOptOuts ? keeper : null })
  }

  start(): void {
    this.messages.start()
    this.replies.start()
  }

  async stop(): Promise<void> {
    await Promise.all([this.messages.stop(), this.replies.stop()])
  }

  async sweep(): Promise<void> {
    await this.messages.sweep()
  }
}
