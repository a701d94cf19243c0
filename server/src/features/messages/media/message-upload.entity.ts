import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp, word } from '../../../infrastructure/database/columns.js'

/** A file that was uploaded to be sent, and that no message has taken yet. */
@Entity('message_uploads')
export class MessageUpload {
  /** `att_…`: that of the message's file once a message has taken it. */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  /** The agent (`ag_…`) or the API key (`sid-…`) that uploaded it; `operator` for the operator. */
  @Column(asciiId) uploader_id!: string
  /** Detected by its content. */
  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin' }) content_type!: string
  @Column({ type: 'int', unsigned: true }) bytes!: number
  @Column(word) storage!: 'disk' | 's3'
  @Column({ type: 'varchar', length: 128, charset: 'ascii', collation: 'ascii_bin' }) storage_key!: string
  /** Part of the file's address: grants access without credentials. */
  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin' }) token!: string
  @Column(timestamp) created_at!: Date
}
