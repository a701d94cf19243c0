import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../../infrastructure/database/columns.js'

/** A prompt for the text model, and the instructions that it wrote. */
@Entity('instruction_responses')
export class InstructionResponse {
  /** `air_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) conversation_id!: string
  /** The response that it continues; null for the first. Several may continue the same one. */
  @Column({ ...asciiId, nullable: true }) follows_id!: string | null
  @Column({ type: 'text' }) prompt!: string
  @Column({ type: 'text' }) instructions!: string
  @Column({ type: 'varchar', length: 250, nullable: true }) greeting_message!: string | null
  @Column(timestamp) created_at!: Date
}
