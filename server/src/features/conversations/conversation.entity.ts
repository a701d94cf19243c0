import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, digits, timestamp, word } from '../../infrastructure/database/columns.js'

export type ConversationStatus = 'open' | 'closed'

/** All messages between one of our numbers and one client. */
@Entity('conversations')
export class Conversation {
  /** `conv_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) phone_number_id!: string
  @Column(digits) system_number!: string
  @Column(digits) client_number!: string
  @Column({ ...asciiId, nullable: true } as never) assigned_agent_id!: string | null
  @Column({ ...asciiId, nullable: true } as never) assigned_team_id!: string | null
  @Column(word) status!: ConversationStatus
  /** Inbound messages that no agent has read. */
  @Column({ type: 'int', unsigned: true }) unread_count!: number
  /** Messages that it has. */
  @Column({ type: 'int', unsigned: true }) message_count!: number
  /** Messages that it had and that were deleted: their positions are not given again. */
  @Column({ type: 'int', unsigned: true, default: 0 }) deleted_messages!: number
  @Column({ ...asciiId, nullable: true } as never) last_message_id!: string | null
  @Column({ ...timestamp, nullable: true }) last_message_at!: Date | null
  @Column({ ...timestamp, nullable: true }) last_read_at!: Date | null
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
