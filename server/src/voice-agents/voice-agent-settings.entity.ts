import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, decimalNumber, flag, timestamp } from '../database/columns.js'

/** One version of a voice agent. */
@Entity('voice_agent_settings')
export class VoiceAgentSettings {
  /** `vas_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) voice_agent_id!: string
  /** From 1, unique in the voice agent. */
  @Column({ type: 'int', unsigned: true }) version!: number
  @Column({ type: 'varchar', length: 100 }) model_id!: string
  /** Null: the model's default. */
  @Column({ type: 'varchar', length: 100, nullable: true }) voice_id!: string | null
  @Column({ type: 'varchar', length: 250 }) greeting_message!: string
  @Column({ type: 'text' }) instructions!: string
  @Column({ ...decimalNumber, precision: 3, scale: 2 }) temperature!: number
  @Column(flag) enable_noise_reduction!: boolean
  @Column({ type: 'smallint', unsigned: true }) max_call_duration_seconds!: number
  /** Enabled tools. */
  @Column({ type: 'json' }) tools_id!: string[]
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
