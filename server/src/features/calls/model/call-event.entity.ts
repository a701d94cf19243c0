import type { CallDirection } from './call-direction.js'
import { textsOf } from '../../../infrastructure/database/shared-events.js'
import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../../infrastructure/database/columns.js'

/** Events of a call's timeline: first its states (contract, Call event), then what its script did. */
const events = {
  ...textsOf(
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
  ),
  'call.supervision': 'A supervisor listens, whispers or barges in, or stops',
  'call.recording_started': 'A recording began',
  'call.recording_paused': 'A recording has silence in place of what is said from now on',
  'call.recording_resumed': 'A recording has what is said again',
  'call.recording_ready': 'A recording can be downloaded',
  'call.voicemail_ready': 'A voicemail can be downloaded',
  ...textsOf('call.stream'),
}
export type CallEventName = keyof typeof events

export const callEvents: Readonly<Record<CallEventName, string>> = events

export const callEventNames = Object.keys(events) as CallEventName[]

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
  /** What the script reports on a step; for example `{"action": "play", "outcome": "completed"}`. */
  @Column({ type: 'json', nullable: true }) details!: object | null
  @Column(timestamp) created_at!: Date
}
