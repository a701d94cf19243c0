import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, timestamp, word } from '../../infrastructure/database/columns.js'

/** One utterance of a caller or a voice agent. */
@Entity('call_dialogue')
export class CallDialogue {
  /** `dia_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) call_id!: string
  /** `vse_…` */
  @Column(asciiId) session_id!: string
  /** From 1 in each call, in the order of speech. */
  @Column({ type: 'int', unsigned: true }) position!: number
  @Column(word) speaker!: 'caller' | 'voice_agent'
  @Column({ type: 'text' }) text!: string
  /** Whether the caller began to speak before it was all heard. */
  @Column(flag) is_interrupted!: boolean
  @Column(timestamp) created_at!: Date
}
