import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../database/columns.js'

/** A text that agents send often. */
@Entity('canned_replies')
export class CannedReply {
  /** `can_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column({ type: 'varchar', length: 64 }) title!: string
  @Column({ type: 'varchar', length: 1600 }) body!: string
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
