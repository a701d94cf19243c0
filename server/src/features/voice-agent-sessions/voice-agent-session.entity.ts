import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, money, timestamp } from '../../infrastructure/database/columns.js'
import type { VoiceAgentSettings } from './voice-agent-settings.entity.js'
import type { SpeechUsage } from '../../adapters/speech/speech-model.js'

/**
 * Why a voice agent's part in a call ended. `caller_left`: the caller hung up, or the call was ended from outside;
 * `ended`: by the tool `end_call`; `provider_failed`: the provider was lost; `replaced`: other actions took its place;
 * `resumed`: its server stopped, and another one continues with a session of its own.
 */
export const sessionEnds = [
  'caller_left',
  'ended',
  'transferred',
  'max_duration',
  'silence',
  'provider_failed',
  'replaced',
  'resumed',
] as const
export type SessionEnd = (typeof sessionEnds)[number]

/** Settings of a session: those of the version, and the longest duration in this call. */
export interface SessionSettings extends VoiceAgentSettings {
  /** Seconds that it may take, at most. */
  max_seconds: number
}

/** One voice agent in one call: what it was asked to do, and what that took. */
@Entity('voice_agent_sessions')
export class VoiceAgentSession {
  /** `vse_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) call_id!: string
  @Column(asciiId) leg_id!: string
  @Column(asciiId) voice_agent_id!: string
  @Column({ type: 'int', unsigned: true }) version!: number
  @Column({ type: 'varchar', length: 100 }) provider!: string
  @Column({ type: 'varchar', length: 100 }) model_id!: string
  /** The settings at its start: later changes of the version apply to later calls. */
  @Column({ type: 'json' }) settings!: SessionSettings
  @Column(timestamp) started_at!: Date
  @Column({ ...timestamp, nullable: true }) ended_at!: Date | null
  @Column({ type: 'varchar', length: 32, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  end_reason!: SessionEnd | null
  @Column({ type: 'json', nullable: true }) usage_counts!: SpeechUsage | null
  /** USD, by the price of its minutes. */
  @Column(money) cost!: number
}
