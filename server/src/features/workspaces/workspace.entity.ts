import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, money, timestamp } from '../../infrastructure/database/columns.js'

/** A tenant. Its id is the first label of its host name. */
@Entity('workspaces')
export class Workspace {
  @PrimaryColumn(asciiId) id!: string
  @Column({ type: 'varchar', length: 64 }) title!: string
  @Column({ type: 'char', length: 2, charset: 'ascii', collation: 'ascii_bin' }) country_code!: string
  /** Its people and keys may do nothing, and no calls begin. */
  @Column(flag) is_suspended!: boolean
  /** Calls that may live at once; null: as many as the operator's settings say. */
  @Column({ type: 'int', unsigned: true, nullable: true }) max_concurrent_calls!: number | null
  /** Calls that may begin in a second; null: as many as the operator's settings say. */
  @Column({ type: 'int', unsigned: true, nullable: true }) max_calls_per_second!: number | null
  /** ISO 3166-1 codes of the countries whose telephone numbers may be called; null: all. */
  @Column({ type: 'json', nullable: true }) allowed_countries!: string[] | null
  /** Whether numbers that cost their callers more may be called and texted. */
  @Column(flag) allow_premium_rate!: boolean
  /** Whether calls with the telephone network may be recorded. */
  @Column(flag) call_recording!: boolean
  /** Whether calls among the workspace's own people may be recorded. */
  @Column(flag) call_internal_recording!: boolean
  /** The gateway that its phones' emergency calls try first; null: that of the phone's number. */
  @Column({ ...asciiId, nullable: true } as never) emergency_gateway_id!: string | null
  /** Whether its gateways may sign who calls, with the operator's certificate. */
  @Column(flag) call_signing!: boolean
  /** Which agents may hand over a call: any, or its participants and the supervisors of their teams. */
  @Column(asciiId) transfers_by!: 'any_agent' | 'involved'
  /** Whether the agents of a call may pause its recording; those who manage its teams always may. */
  @Column(flag) agents_pause_recordings!: boolean
  /** Whether voicemails are transcribed, where a provider has speech to text. */
  @Column(flag) voicemail_transcription!: boolean
  /** Why agents may be away, as they choose it; null: the platform's list. */
  @Column({ type: 'json', nullable: true }) away_reasons!: string[] | null
  /** How the parties of a call learn that it is recorded. */
  @Column(asciiId) recording_notice!: 'none' | 'tone' | 'announcement'
  /** The announcement: an audio; without one a text, in the platform's words if it is null. */
  @Column({ ...asciiId, nullable: true } as never) recording_notice_audio_id!: string | null
  @Column({ type: 'varchar', length: 500, nullable: true }) recording_notice_text!: string | null
  @Column({ type: 'varchar', length: 100, nullable: true }) recording_notice_voice!: string | null
  /** Days for which recordings are kept; null: as many as the operator's settings say. */
  @Column({ type: 'int', unsigned: true, nullable: true }) recording_retention_days!: number | null
  /** The same of its calls, messages, single entries of the ledger, webhook deliveries and its audit log. */
  @Column({ type: 'int', unsigned: true, nullable: true }) call_retention_days!: number | null
  @Column({ type: 'int', unsigned: true, nullable: true }) message_retention_days!: number | null
  @Column({ type: 'int', unsigned: true, nullable: true }) ledger_retention_days!: number | null
  @Column({ type: 'int', unsigned: true, nullable: true }) webhook_delivery_retention_days!: number | null
  @Column({ type: 'int', unsigned: true, nullable: true }) audit_log_retention_days!: number | null
  /** Whether leaders and supervisors act in teams only that they are members of; else their role is enough. */
  @Column(flag) leaders_only_own_teams!: boolean
  /** Megabytes of files that it may keep; null: as many as the operator's settings say. */
  @Column({ type: 'int', unsigned: true, nullable: true }) max_storage_mb!: number | null
  /** USD that its calls and messages may cost in an hour and a day of UTC; null: as much as there is credit. */
  @Column({ ...money, nullable: true }) max_spend_per_hour!: number | null
  @Column({ ...money, nullable: true }) max_spend_per_day!: number | null
  /** The rates of its calls and messages, before those of the default deck. */
  @Column({ ...asciiId, nullable: true } as never) rate_deck_id!: string | null
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
  /** Since when it is closed, while its rows are still being deleted; null for all others. */
  @Column({ ...timestamp, nullable: true }) deleted_at!: Date | null
}
