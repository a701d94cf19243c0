/** Messages, the carriers that take and bring them, and the conversations that they make. */
import { wireConversationNotifier } from './conversation-notifier.js'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.js'
import { ConversationStore } from '../../features/conversations/conversation-store.js'
import { Inbound } from '../../features/messages/inbound/inbound.js'
import { sendsOver } from '../../features/messages/inbound/inbound-numbers.js'
import { OptOuts } from '../../features/messages/inbound/opt-outs.js'
import { MessageSettingsService } from '../../features/messages/settings/message-settings.js'
import { CarrierPosts } from '../../features/messages/carrier-posts/carrier-posts.js'
import { HttpCarriers } from '../../features/messages/carriers/http-carriers.js'
import { Dispatch } from '../../features/messages/dispatch/dispatch.js'
import { Media } from '../../features/messages/media/media.js'
import { MessageChanges } from '../../features/messages/message-changes.js'
import { MessageEvents } from '../../features/messages/message-events.js'
import { MessagePresenter } from '../../features/messages/message.presenter.js'
import { MessageService } from '../../features/messages/message.service.js'
import { OutboundMessages } from '../../features/messages/outbound-messages.js'
import { wireCarriers } from './carriers.js'
import { ContactNames } from '../../features/contacts/contact-names.js'
import type { Core } from './core.js'
import type { Resources } from './resources.js'

export function wireMessages(config: Config, log: Logger, core: Core, resources: Resources) {
  const { database, credit, webhooks, urls, idempotency, servers } = core
  const { countries } = resources
  const presenter = new MessagePresenter(database, urls)
  const conversationStore = new ConversationStore()
  const { notifier, conversationPresenter } = wireConversationNotifier(core, log)
  const events = new MessageEvents({
    ...{ presenter, webhooks: webhooks.events },
    stream: (some) => notifier.messages(some),
  })
  const optOuts = new OptOuts(database, resources.numbers)
  const changes = new MessageChanges(events, credit, optOuts)
  const wake = (carrierId: string | null): void => dispatch.wake(carrierId)
  const carriers = wireCarriers(core, resources, wake)
  const httpCarriers = new HttpCarriers(carriers.carriers, carriers.carrierSettings)
  const media = new Media({
    ...{ database, log, urls, bucket: config.recordings, mediaDirectory: config.media.directory },
    network: config.http_client,
    storedBytes: core.keptBytes,
    maxMegabytes: config.messages.max_media_mb,
    credentialsOf: async (id) => httpCarriers.credentials(id),
    arrived: async (tx, message) => events.record(tx, [message]),
    enqueue: async (...queued) => outbound.enqueue(...queued),
    fail: async (tx, change) => {
      await changes.apply(tx, [change])
    },
  })
  const messageSettings = new MessageSettingsService(database)
  const dispatch = new Dispatch({
    ...{ database, changes, urls, servers, log, settings: config.messages },
    linkOf: (carrier, holder) =>
      carriers.carrierSettings.connect(carrier, { network: config.http_client, holder, log }),
    receive: async (...received) => inbound.messages.receive(...received),
  })
  const outbound: OutboundMessages = new OutboundMessages({
    ...{ database, numbers: resources.numbers, countries, rates: resources.rates, optOuts, credit },
    originators: carriers.originators,
    conversations: conversationStore,
    ...{ media: media.store, outboundMedia: media.outbound },
    settings: messageSettings,
    giveUpAfter: config.messages.give_up_after,
    wake,
  })
  const messages = new MessageService({
    ...{ database, outbound, presenter, idempotency },
    contacts: new ContactNames(database),
  })
  const inbound = new Inbound({
    ...{ database, events, optOuts, settings: messageSettings, log },
    conversations: conversationStore,
    media: media.inbound,
    heedsOptOuts: config.messages.opt_out === 'true',
    send: async (workspace, reply, key) => {
      const system = { type: 'system', id: null } as const
      const prepare = async () => outbound.prepare(workspace, system, reply, { despiteOptOut: true })
      return messages.once(workspace, { key, request: reply }, prepare, async (_, { message }) => message.id)
    },
  })
  const carrierPosts = new CarrierPosts({
    find: async (id) => httpCarriers.find(id),
    receive: async (...text) => inbound.messages.receive(...text),
    receipt: async (...receipt) => dispatch.receipts.take(...receipt),
    names: async (...receipt) => dispatch.receipts.names(...receipt),
    sends: async (...number) => sendsOver(database, ...number),
  })
  return {
    ...carriers,
    presenter,
    conversationPresenter,
    conversationStore,
    notifier,
    events,
    changes,
    media,
    optOuts,
    messageSettings,
    outbound,
    messages,
    inbound,
    dispatch,
    carrierPosts,
  }
}

export type Messages = ReturnType<typeof wireMessages>
