import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, jsonText, timestamp } from '../../../infrastructure/database/columns.js'
import type { Rule, Turn } from './rules.schema.js'

/** A written caller of a voice agent, kept to be played to its versions. */
@Entity('voice_agent_evaluation_scripts')
export class EvaluationScript {
  /** `evs_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) voice_agent_id!: string
  /** Unique in the voice agent. */
  @Column({ type: 'varchar', length: 60 }) name!: string
  @Column(jsonText) turns!: Turn[]
  /** Rules of the whole call. */
  @Column(jsonText) expect!: Rule[]
  /** What tools answer, by name. */
  @Column(jsonText) tool_answers!: Record<string, unknown>
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
