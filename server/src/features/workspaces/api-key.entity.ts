import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, timestamp } from '../../infrastructure/database/columns.js'
import type { KeyRole, KeyScope } from '../../infrastructure/http/endpoint.js'

/** A workspace's API key: `sid-….<secret>`. */
@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn(asciiId) sid!: string
  @Column(asciiId) workspace_id!: string
  @Column({ type: 'varchar', length: 64 }) title!: string
  @Column(asciiId) scope!: KeyScope
  @Column(asciiId) role!: KeyRole
  /** Whether its secret signs JWTs of clients, who make calls with them. */
  @Column(flag) signs_clients!: boolean
  /** Encrypted, not hashed: the same secret signs client JWTs. */
  @Column({ type: 'varchar', length: 255, charset: 'ascii', collation: 'ascii_bin' }) secret!: string
  @Column({ ...timestamp, nullable: true }) last_used_at!: Date | null
  @Column(timestamp) created_at!: Date
}
