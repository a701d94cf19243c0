import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, jsonText, timestamp } from '../../../infrastructure/database/columns.js'
import type { SpeechUsage } from '../../../adapters/speech/speech-model.js'
import type { Exchange } from './exchange.js'
import type { Verdict } from './judge.js'

/** How one script of an evaluation came out. */
@Entity('voice_agent_evaluation_results')
export class EvaluationResult {
  /** `evr_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) evaluation_id!: string
  /** Of the script among those of the evaluation, from 0. */
  @Column({ type: 'int', unsigned: true }) position!: number
  @Column(flag) passed!: boolean
  /** Why it was not played to its end; null when it was. */
  @Column({ type: 'varchar', length: 500, nullable: true }) problem!: string | null
  @Column(jsonText) verdicts!: Verdict[]
  @Column(jsonText) exchanges!: Exchange[]
  @Column({ type: 'int', unsigned: true }) duration_ms!: number
  @Column({ type: 'json' }) usage_counts!: SpeechUsage
  @Column(timestamp) created_at!: Date
}
