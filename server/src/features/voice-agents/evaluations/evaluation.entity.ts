import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, jsonText, timestamp, word } from '../../../infrastructure/database/columns.js'
import type { VoiceAgentSettings } from '../../voice-agent-sessions/voice-agent-settings.entity.js'
import type { Script } from './script.js'

/** A script as it was when the evaluation began. */
export interface PlayedScript extends Script {
  /** Null: it came with the request. */
  readonly id: string | null
}

/** Scripts that are played to one version of a voice agent. */
@Entity('voice_agent_evaluations')
export class Evaluation {
  /** `eva_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) voice_agent_id!: string
  @Column({ type: 'int', unsigned: true }) version!: number
  /** As they were when it began. */
  @Column(jsonText) settings!: VoiceAgentSettings
  /** Of what decides how the version speaks: see `settings-hash.ts`. */
  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin' }) settings_hash!: string
  @Column({ ...jsonText, type: 'longtext' }) scripts!: PlayedScript[]
  /** Failed: the scripts could not be played. */
  @Column(word) status!: 'running' | 'completed' | 'failed'
  /** Why it failed; null otherwise. */
  @Column({ type: 'varchar', length: 500, nullable: true }) error!: string | null
  @Column({ type: 'int', unsigned: true }) total!: number
  /** Scripts that passed all of their rules. */
  @Column({ type: 'int', unsigned: true }) passed!: number
  @Column(timestamp) created_at!: Date
  @Column({ ...timestamp, nullable: true }) ended_at!: Date | null
}
