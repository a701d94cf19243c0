import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../../infrastructure/database/columns.js'

/** A conversation with a text model in which the instructions of a voice agent are written. */
@Entity('instruction_conversations')
export class InstructionConversation {
  /** `aic_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(timestamp) created_at!: Date
  @Column(timestamp) used_at!: Date
}
