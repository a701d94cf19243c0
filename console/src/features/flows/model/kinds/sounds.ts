/** Steps that play or say something, and those that collect digits or speech. */
import { IconDialpad, IconEar, IconHash, IconPlayerPlay, IconSpeakerphone } from '@tabler/icons-react'
import { type StepKind, answer, keys } from '../step-kind'

const keyWait = { kind: 'number', name: 'timeout', min: 1, max: 60, byDefault: 5 } as const

export const sounds: readonly StepKind[] = [
  {
    type: 'play',
    icon: IconPlayerPlay,
    group: 'hear',
    fields: [
      { kind: 'reference', name: 'audio_id', of: 'audio', required: true },
      answer,
      { kind: 'flag', name: 'continue_on_play', byDefault: false },
    ],
    outcomes: [],
  },
  {
    type: 'tts',
    icon: IconSpeakerphone,
    group: 'hear',
    fields: [
      { kind: 'text', name: 'text', required: true },
      { kind: 'line', name: 'voice' },
      { kind: 'number', name: 'speed', min: 0.5, max: 2, byDefault: 1, step: 0.1 },
    ],
    outcomes: [],
  },
  {
    type: 'menu',
    icon: IconDialpad,
    group: 'ask',
    fields: [
      { kind: 'prompt', name: 'text' },
      keyWait,
      { kind: 'number', name: 'retries', min: 0, max: 10, byDefault: 2 },
      { kind: 'reference', name: 'invalid_audio_id', of: 'audio' },
    ],
    outcomes: [...keys, 'invalid', 'timeout'],
    initial: { text: '' },
    hasKeys: true,
  },
  {
    type: 'ivr',
    icon: IconHash,
    group: 'ask',
    fields: [
      { kind: 'number', name: 'max_digits', min: 1, max: 10, byDefault: 1 },
      keyWait,
      { kind: 'url', name: 'webhook_url' },
      { kind: 'headers', name: 'webhook_headers' },
    ],
    outcomes: ['completed', 'timeout', 'error'],
  },
  {
    type: 'machine_detection',
    icon: IconEar,
    group: 'ask',
    fields: [
      { kind: 'choice', name: 'mode', values: ['detect', 'message_end'], byDefault: 'detect' },
      { kind: 'number', name: 'timeout', min: 3, max: 59, byDefault: 30 },
    ],
    outcomes: ['human', 'machine', 'fax', 'unknown'],
  },
]
