import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../database/columns.js'

/** A tenant. Its id is the first label of its host name. */
@Entity('workspaces')
export class Workspace {
  @PrimaryColumn(asciiId) id!: string
  @Column({ type: 'varchar', length: 64 }) title!: string
  @Column({ type: 'char', length: 2, charset: 'ascii', collation: 'ascii_bin' }) country_code!: string
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
