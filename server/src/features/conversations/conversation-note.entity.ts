import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

/** A note among agents about a conversation; its client never sees it. */
@Entity('conversation_notes')
export class ConversationNote {
  /** `note_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) conversation_id!: string
  /** Who wrote it. */
  @Column(asciiId) agent_id!: string
  @Column({ type: 'varchar', length: 2000 }) body!: string
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
