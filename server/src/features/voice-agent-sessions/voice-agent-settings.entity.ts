import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, decimalNumber, flag, timestamp, word } from '../../infrastructure/database/columns.js'

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
  /** This and what follows, to `interruption_ms`: null is as the provider does it by itself. */
  @Column({ ...word, nullable: true }) turn_detection!: 'server_vad' | 'semantic_vad' | null
  @Column({ ...word, nullable: true }) turn_eagerness!: 'low' | 'medium' | 'high' | 'auto' | null
  @Column({ ...decimalNumber, precision: 3, scale: 2, nullable: true }) turn_threshold!: number | null
  @Column({ type: 'smallint', unsigned: true, nullable: true }) turn_silence_ms!: number | null
  @Column({ type: 'smallint', unsigned: true, nullable: true }) interruption_ms!: number | null
  @Column(flag) ignore_backchannels!: boolean
  /** BCP 47. Null: what its greeting and instructions are written in. */
  @Column({ type: 'varchar', length: 35, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  language!: string | null
  /** Whether the agent gets the keys that the caller presses. */
  @Column(flag) enable_dtmf!: boolean
  /** What it says while a tool takes long. Null: a sentence of ours; empty: nothing. */
  @Column({ type: 'varchar', length: 250, nullable: true }) tool_delay_message!: string | null
  @Column({ type: 'smallint', unsigned: true }) max_call_duration_seconds!: number
  /** Enabled tools. */
  @Column({ type: 'json' }) tools_id!: string[]
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
