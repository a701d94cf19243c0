import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp, word } from '../../../infrastructure/database/columns.js'

/** A file of a message. */
@Entity('message_attachments')
export class MessageAttachment {
  /** `att_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) message_id!: string
  /** From 0. */
  @Column({ type: 'tinyint', unsigned: true }) position!: number
  /** Detected by its content. */
  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin' }) content_type!: string
  @Column({ type: 'int', unsigned: true }) bytes!: number
  /** Where it came from. */
  @Column({ type: 'varchar', length: 2048 }) source_url!: string
  @Column(word) storage!: 'disk' | 's3'
  @Column({ type: 'varchar', length: 128, charset: 'ascii', collation: 'ascii_bin' }) storage_key!: string
  /** Part of the file's address: grants access without credentials. */
  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin' }) token!: string
  @Column(timestamp) created_at!: Date
}
