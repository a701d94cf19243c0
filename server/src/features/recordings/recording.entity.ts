import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'
import type { StorageKind } from '../../infrastructure/storage/storage.js'

export type RecordingStatus = 'recording' | 'paused' | 'processing' | 'ready' | 'failed'
export type RecordingKind = 'call' | 'voicemail'
export type RecordingFormat = 'wav' | 'mp3'

/** A recording of a call, or a message that a caller left. */
@Entity('recordings')
export class Recording {
  /** `rec_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) call_id!: string
  @Column(asciiId) kind!: RecordingKind
  @Column(asciiId) status!: RecordingStatus
  @Column(asciiId) format!: RecordingFormat
  /** 2: what the channel's party says on the left, what they hear on the right. */
  @Column({ type: 'tinyint', unsigned: true }) channels!: 1 | 2
  /** The switch's channel that is recorded. */
  @Column(asciiId) channel_id!: string
  @Column({ type: 'varchar', length: 64 }) from_number!: string
  @Column({ type: 'varchar', length: 80 }) to_number!: string
  /** Where the file is kept, or may be already while it is being stored; null before. */
  @Column({ ...asciiId, nullable: true }) storage!: StorageKind | null
  @Column({ ...asciiId, length: 160, nullable: true }) storage_key!: string | null
  @Column({ type: 'int', unsigned: true, nullable: true }) size_bytes!: number | null
  @Column({ type: 'int', unsigned: true, nullable: true }) duration_ms!: number | null
  /** Why it failed, or why it is not ready yet. */
  @Column({ type: 'varchar', length: 255, nullable: true }) error!: string | null
  /** When it was begun. */
  @Column(timestamp) created_at!: Date
  @Column({ ...timestamp, nullable: true }) ended_at!: Date | null
  /** Of a voicemail: what was said in it, where a provider has speech to text. */
  @Column({ type: 'text', nullable: true }) transcript!: string | null
  /** Of a voicemail: when an agent has heard it first, and who. */
  @Column({ ...timestamp, nullable: true }) heard_at!: Date | null
  @Column({ ...asciiId, nullable: true }) heard_by!: string | null
  /** Of a voicemail: when an agent was done with it, and who. */
  @Column({ ...timestamp, nullable: true }) done_at!: Date | null
  @Column({ ...asciiId, nullable: true }) done_by!: string | null
}
