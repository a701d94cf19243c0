/** Steps that call servers, send messages, and stream or record the call. */
import {
  IconAddressBook,
  IconBroadcast,
  IconMessage,
  IconPlayerRecord,
  IconServer,
} from '@tabler/icons-react'
import { type StepKind, answer } from '../step-kind'

export const services: readonly StepKind[] = [
  {
    type: 'contact_lookup',
    icon: IconAddressBook,
    group: 'tell',
    fields: [
      { kind: 'url', name: 'url' },
      { kind: 'headers', name: 'headers' },
    ],
    outcomes: ['found', 'not_found', 'error'],
  },
  {
    type: 'json_call_action',
    icon: IconServer,
    group: 'tell',
    fields: [
      { kind: 'url', name: 'url', required: true },
      { kind: 'headers', name: 'headers' },
    ],
    outcomes: ['completed', 'error'],
  },
  {
    type: 'send_message',
    icon: IconMessage,
    group: 'tell',
    fields: [
      { kind: 'reference', name: 'from', of: 'phone_number', required: true },
      { kind: 'line', name: 'to' },
      { kind: 'text', name: 'body', required: true, hint: 'placeholders' },
    ],
    outcomes: ['sent', 'failed'],
    initial: { body: '' },
  },
  {
    type: 'recording',
    icon: IconPlayerRecord,
    group: 'tell',
    fields: [
      { kind: 'choice', name: 'format', values: ['wav', 'mp3'], byDefault: 'wav' },
      { kind: 'flag', name: 'stereo', byDefault: false },
      answer,
    ],
    outcomes: [],
  },
  {
    type: 'stream',
    icon: IconBroadcast,
    group: 'tell',
    fields: [
      { kind: 'url', name: 'ws_url', required: true },
      { kind: 'choice', name: 'track', values: ['both', 'inbound', 'outbound'], byDefault: 'both' },
      { kind: 'choice', name: 'sample_rate', values: ['8000', '16000'], byDefault: '8000' },
      { kind: 'flag', name: 'bidirectional', byDefault: false },
      answer,
      { kind: 'headers', name: 'headers' },
    ],
    outcomes: ['completed', 'failed'],
  },
]
