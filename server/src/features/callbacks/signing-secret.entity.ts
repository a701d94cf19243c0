import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

/** What a workspace's callbacks are signed with. */
@Entity('signing_secrets')
export class SigningSecret {
  @PrimaryColumn(asciiId) workspace_id!: string
  /** Encrypted. */
  @Column({ type: 'varchar', length: 255, charset: 'ascii', collation: 'ascii_bin' }) secret!: string
  @Column(timestamp) created_at!: Date
}
