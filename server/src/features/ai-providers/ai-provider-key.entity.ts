import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

/** The key of a workspace that pays a provider itself. */
@Entity('ai_provider_keys')
export class AiProviderKey {
  /** `aik_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  /** Unique in the workspace. */
  @Column(asciiId) provider_id!: string
  /** Sealed. */
  @Column({ type: 'text', charset: 'ascii', collation: 'ascii_bin' }) api_key!: string
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
