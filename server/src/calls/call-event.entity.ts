import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../database/columns.js'
import type { CallDirection } from './call.entity.js'

/** The first four are the call's course (contract, Call event); the others tell what its program did. */
export const callEventNames = [
  'call.created',
  'call.ringing',
  'call.answered',
  'call.ended',
  'call.node',
  'call.action',
  'call.callback',
  'call.tool',
  'call.ivr_collected',
  'call.keys',
  'call.machine_detection',
  'call.queued',
  'call.transfer',
  'call.supervision',
  'call.recording_started',
  'call.recording_ready',
  'call.voicemail_ready',
  'call.stream',
] as const
export type CallEventName = (typeof callEventNames)[number]

/** One entry of a call's timeline. */
@Entity('call_events')
export class CallEvent {
  /** `evt_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) call_id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) event!: CallEventName
  @Column(asciiId) direction!: CallDirection
  @Column({ type: 'smallint', unsigned: true, nullable: true }) sip_code!: number | null
  /** On the events before the answer. */
  @Column({ type: 'json', nullable: true }) to_party!: { number: string; name: string } | null
  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  hangup_cause!: string | null
  /** What the program tells of a step; for example `{"action": "play", "outcome": "completed"}`. */
  @Column({ type: 'json', nullable: true }) details!: object | null
  @Column(timestamp) created_at!: Date
}
