import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

/** An AI that talks with callers. Its settings are in its versions. */
@Entity('voice_agents')
export class VoiceAgent {
  /** `va_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column({ type: 'varchar', length: 30 }) name!: string
  /** The version that calls get; null when none is published. */
  @Column({ type: 'int', unsigned: true, nullable: true }) published_version!: number | null
  /** The highest version number ever given: numbers are not used again. */
  @Column({ type: 'int', unsigned: true }) last_version!: number
  /** The conversation with an AI in which the first instructions were written, when there was one. */
  @Column({ type: 'varchar', length: 255, nullable: true }) conversation!: string | null
  /** The last response of that conversation. */
  @Column({ type: 'varchar', length: 255, nullable: true }) response_id!: string | null
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
