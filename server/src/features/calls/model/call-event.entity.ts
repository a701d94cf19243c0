import type { CallDirection } from './call-direction.js'
import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../../infrastructure/database/columns.js'

/** Events of a call's timeline: first its states (contract, Call event), then what its script did. */
const events = {
  'call.created': 'The call was created',
  'call.ringing': 'The called party rings',
  'call.answered': 'The call was answered',
  'call.ended': 'The call ended, with `hangup_cause` and `sip_code`',
  'call.node': 'A node of its flow ran, with its outcome',
  'call.action': 'An action ran, with its outcome',
  'call.callback': 'Your server was asked',
  'call.tool': 'A voice agent used a tool',
  'call.ivr_collected': 'An ivr action or node collected keys, or timed out',
  'call.keys': 'The caller pressed keys during a conversation with a voice agent',
  'call.machine_detection': 'It is known whether a person or a machine answered',
  'call.queued': 'The caller waits in the queue of a team',
  'call.transfer': 'A transfer began or ended',
  'call.supervision': 'A supervisor listens, whispers or barges in, or stops',
  'call.recording_started': 'A recording began',
  'call.recording_ready': 'A recording can be downloaded',
  'call.voicemail_ready': 'A voicemail can be downloaded',
  'call.stream': 'An audio stream began or ended',
} as const
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
