import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, decimalNumber, timestamp } from '../../infrastructure/database/columns.js'

/** An audio file that calls play. The file itself lies in the media directory. */
@Entity('audios')
export class Audio {
  /** `au_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column({ type: 'varchar', length: 64 }) title!: string
  @Column(asciiId) source!: 'upload' | 'tts'
  /** Its text, if it was rendered from text. */
  @Column({ type: 'text', nullable: true }) text!: string | null
  /** Seconds. */
  @Column({ ...decimalNumber, precision: 10, scale: 3 }) duration!: number
  /** Bytes. */
  @Column({ type: 'int', unsigned: true }) size!: number
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
