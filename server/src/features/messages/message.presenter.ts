/** Messages as the API and its events show them (contract, Message). */
import { type EntityManager, In } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import { grouped } from '../../lib/grouped.js'
import type { PublicUrls } from '../../infrastructure/http/public-urls.js'
import { shownNumber } from '../../lib/numbering/e164.js'
import { mediaUrl } from './media/media-url.js'
import { MessageAttachment } from './media/message-attachment.entity.js'
import type { Message } from './message.entity.js'

export class MessagePresenter {
  constructor(
    private readonly database: Database,
    private readonly urls: PublicUrls,
  ) {}

  /** Presents messages, in their order. @param tx the transaction that may just have written them */
  async present(messages: readonly Message[], tx?: EntityManager) {
    const attachments = await this.attachmentsOf(messages, tx)
    return messages.map((message) => this.shown(message, attachments.get(message.id) ?? []))
  }

  private shown(message: Message, attachments: readonly MessageAttachment[]) {
    const { id, workspace_id, conversation_id, phone_number_id, body, direction, status } = message
    const isInbound = direction === 'inbound'
    const ours = message.originator ?? shownNumber(message.system_number)
    const theirs = shownNumber(message.client_number)
    const media = attachments.map((file) => ({
      url: mediaUrl(this.urls, file),
      content_type: file.content_type,
      bytes: file.bytes,
    }))
    return {
      ...{ id, conversation_id, workspace_id, phone_number_id },
      from: isInbound ? theirs : ours,
      to: isInbound ? ours : theirs,
      client_number: theirs,
      ...{ body, direction, status },
      sender_type: message.sender_type,
      sender_id: message.sender_id,
      // Who sent the files knows them by their own addresses.
      media_urls: isInbound
        ? media.map(({ url }) => url)
        : (message.pending_media_urls ?? attachments.map(({ source_url }) => source_url)),
      media,
      encoding: message.encoding,
      segments: message.segments,
      cost: message.cost,
      error_code: message.error_code,
      error_message: message.error_message,
      created_at: message.created_at.toISOString(),
      updated_at: message.updated_at.toISOString(),
    }
  }

  private async attachmentsOf(
    messages: readonly Message[],
    tx?: EntityManager,
  ): Promise<ReadonlyMap<string, MessageAttachment[]>> {
    const ids = messages.filter(({ attachments }) => attachments > 0).map(({ id }) => id)
    if (ids.length === 0) return new Map()
    const rows = await this.database.platformTable(MessageAttachment, tx).find({
      where: { message_id: In(ids) },
      order: { position: 'ASC' },
    })
    return grouped(rows, ({ message_id }) => message_id)
  }
}

/** A message as it is shown. */
export type ShownMessage = Awaited<ReturnType<MessagePresenter['present']>>[number]
