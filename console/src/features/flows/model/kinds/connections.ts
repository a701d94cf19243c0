/** Steps that connect callers to someone, or take a message. */
import {
  IconDeviceMobile,
  IconMicrophone,
  IconPhoneCall,
  IconPhoneOutgoing,
  IconRobot,
  IconUser,
  IconUsers,
} from '@tabler/icons-react'
import { type StepKind } from '../step-kind'

const ringing = { kind: 'number', name: 'timeout', min: 1, max: 300, byDefault: 30 } as const
const ringback = { kind: 'reference', name: 'ringback_audio_id', of: 'audio' } as const
const reached = ['completed', 'busy', 'no_answer', 'failed']

export const connections: readonly StepKind[] = [
  {
    type: 'connect_agent',
    icon: IconUser,
    group: 'connect',
    fields: [{ kind: 'reference', name: 'agent_id', of: 'agent', required: true }, ringing, ringback],
    outcomes: [...reached, 'offline'],
  },
  {
    type: 'connect_client',
    icon: IconDeviceMobile,
    group: 'connect',
    fields: [{ kind: 'client', name: 'sub' }, ringing, ringback],
    outcomes: [...reached, 'offline'],
    initial: { sub: '' },
  },
  {
    type: 'connect_team',
    icon: IconUsers,
    group: 'connect',
    fields: [
      { kind: 'reference', name: 'team_id', of: 'team', required: true },
      {
        kind: 'choice',
        name: 'strategy',
        values: ['ring-all', 'round-robin', 'sequential', 'random'],
        byDefault: 'ring-all',
      },
      ringing,
      ringback,
      { kind: 'queue', name: 'queue' },
    ],
    outcomes: ['completed', 'no_answer', 'offline', 'queue_full', 'queue_timeout', 'failed'],
  },
  {
    type: 'connect_voice_agent',
    icon: IconRobot,
    group: 'connect',
    fields: [
      { kind: 'reference', name: 'voice_agent_id', of: 'voice_agent', required: true },
      { kind: 'number', name: 'version', min: 1, max: 1_000_000, byDefault: 0 },
      ringing,
      { kind: 'number', name: 'max_duration_seconds', min: 1, max: 7200, byDefault: 300 },
      ringback,
    ],
    outcomes: ['completed', 'no_answer', 'failed'],
  },
  {
    type: 'to_operator',
    icon: IconPhoneOutgoing,
    group: 'connect',
    fields: [
      { kind: 'operator', name: 'phone_number' },
      { kind: 'reference', name: 'gateway_id', of: 'outbound_gateway' },
      ringing,
      ringback,
    ],
    outcomes: reached,
    initial: { phone_number: '' },
  },
  {
    type: 'go_to_extension',
    icon: IconPhoneCall,
    group: 'connect',
    fields: [{ kind: 'reference', name: 'extension_id', of: 'extension' }, ringing],
    outcomes: [...reached, 'offline', 'unknown'],
  },
  {
    type: 'voicemail',
    icon: IconMicrophone,
    group: 'connect',
    fields: [
      { kind: 'reference', name: 'greeting_audio_id', of: 'audio' },
      { kind: 'number', name: 'max_duration', min: 1, max: 3600, byDefault: 60 },
      { kind: 'flag', name: 'beep', byDefault: true },
    ],
    outcomes: [],
  },
]
