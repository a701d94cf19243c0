import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, timestamp } from '../../../infrastructure/database/columns.js'

const reply = { type: 'varchar', length: 1_600, nullable: true } as const

/** A workspace's settings of messages; one without a row has the defaults. */
@Entity('message_settings')
export class MessageSettingsRow {
  @PrimaryColumn(asciiId) workspace_id!: string
  /** Words by which clients opt out, beside those that all workspaces have. */
  @Column({ type: 'json' }) stop_words!: string[]
  @Column({ type: 'json' }) start_words!: string[]
  @Column({ type: 'json' }) help_words!: string[]
  /** The answers to them; null: the usual one, '': none. */
  @Column(reply) stop_reply!: string | null
  @Column(reply) start_reply!: string | null
  @Column(reply) help_reply!: string | null
  /** Whether marks that GSM-7 lacks are replaced by those that look alike. */
  @Column(flag) replace_look_alikes!: boolean
  @Column(timestamp) updated_at!: Date
}
