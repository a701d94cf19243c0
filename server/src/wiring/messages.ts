/** Messages, the carriers that take and bring them, and the conversations that they make. */
import type { Logger } from 'pino'
import type { Config } from '../config.js'
import { ConversationStore } from '../conversations/conversation-store.js'
import { OptOuts } from '../messages/inbound/opt-outs.js'
import { Media } from '../messages/media/media.js'
import { CarrierSettings } from '../messages/carriers/carrier-settings.js'
import { CarrierService } from '../messages/carriers/carrier.service.js'
import { MessageChanges } from '../messages/message-changes.js'
import { MessageEvents } from '../messages/message-events.js'
import { MessagePresenter } from '../messages/message-presenter.js'
import type { Core } from './core.js'

export function wireMessages(config: Config, log: Logger, core: Core) {
  const { database, secrets, credit, webhooks, urls, client } = core
  const presenter = new MessagePresenter(database, urls)
  const conversationStore = new ConversationStore()
  const events = new MessageEvents({ presenter, webhooks: webhooks.events, stream: () => undefined })
  const changes = new MessageChanges(events, credit)
  const media = new Media({
    ...{ database, client, log, bucket: config.recordings, mediaDirectory: config.media.directory },
    maxMegabytes: config.messages.max_media_mb,
    arrived: async (tx, message) => events.record(tx, [message]),
  })
  const carriers = new CarrierService(database, new CarrierSettings(secrets))
  const optOuts = new OptOuts(database)
  return { presenter, conversationStore, events, changes, media, carriers, optOuts }
}

export type Messages = ReturnType<typeof wireMessages>
