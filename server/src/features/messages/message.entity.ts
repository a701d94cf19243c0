import { Column, Entity, PrimaryColumn } from 'typeorm'
import type { TextEncoding } from '../../adapters/sms/link.js'
import { asciiId, digits, money, timestamp, word } from '../../infrastructure/database/columns.js'
import { topics } from '../../infrastructure/observability/telemetry.js'
import { type SearchText, textOfParts } from '../../infrastructure/database/search-text.js'
import type { MessageStatus } from './message-states.js'

/** Who wrote a message (contract, Message). */
export type SenderType = 'client' | 'agent' | 'voice_agent' | 'system'

/** An index holds no more. */
const searchBytes = 2_900

/** An SMS or MMS. */
@Entity('messages')
export class Message {
  static readonly searchText: SearchText<Message> = {
    made: ['system_number', 'client_number', 'body'],
    columns: ['whole.system_number', 'whole.client_number', 'whole.body'],
    of: ({ system_number, client_number, body }) =>
      textOfParts([system_number, client_number, body], searchBytes),
  }

  /** `msg_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) conversation_id!: string
  /** Its position in the conversation, from 1, in the order of `created_at`, which is unique there. */
  @Column({ type: 'int', unsigned: true }) position!: number
  @Column(asciiId) phone_number_id!: string
  /** Ours. */
  @Column(digits) system_number!: string
  /** The name or short code that it was sent as, or the short code that it was for; null: the number itself. */
  @Column({ type: 'varchar', length: 11, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  originator!: string | null
  /** Theirs. */
  @Column(digits) client_number!: string
  @Column(word) direction!: 'inbound' | 'outbound'
  @Column(word) status!: MessageStatus
  @Column(word) sender_type!: SenderType
  /** The agent (`ag_…`), or voice agent (`va_…`), that wrote it. */
  @Column({ ...asciiId, nullable: true } as never) sender_id!: string | null
  @Column({ type: 'mediumtext' }) body!: string
  @Column(word) encoding!: TextEncoding
  @Column({ type: 'tinyint', unsigned: true }) segments!: number
  /** The number of its files. */
  @Column({ type: 'tinyint', unsigned: true }) attachments!: number
  /** The addresses of its files while they are being fetched, and where they could not be had. */
  @Column({ type: 'json', nullable: true }) pending_media_urls!: string[] | null
  /** USD that were booked when the message was accepted. */
  @Column(money) price!: number
  /** The deck of its rate; null: the fee of its number. */
  @Column({ ...asciiId, nullable: true } as never) rate_deck_id!: string | null
  @Column({ ...digits, nullable: true }) rate_prefix!: string | null
  /** USD; null until a carrier has taken it. For a failed message: the cost of the segments that a carrier took. */
  @Column({ ...money, nullable: true }) cost!: number | null
  @Column({ type: 'varchar', length: 40, nullable: true }) error_code!: string | null
  @Column({ type: 'varchar', length: 255, nullable: true }) error_message!: string | null
  /** The carrier that took or brought it. */
  @Column({ ...asciiId, nullable: true } as never) carrier_id!: string | null
  /** The carrier's id of the message, or of its first segment. */
  @Column({ type: 'varchar', length: 128, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  carrier_message_id!: string | null
  @Column({ ...timestamp, nullable: true }) sent_at!: Date | null
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
  @Column({ type: 'varbinary', length: searchBytes, nullable: true, select: false })
  readonly search_text?: Buffer | null
}

/** Publishes a message's new state to metrics and traces. */
export function publishStatus(message: Message): void {
  const { id, workspace_id: workspaceId, direction, status } = message
  const { created_at: createdAt, sent_at: sentAt, updated_at: at } = message
  topics.message.publish({ id, workspaceId, direction, status, createdAt, sentAt, at })
}
