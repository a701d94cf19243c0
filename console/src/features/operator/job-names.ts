/** Names of the jobs in the server's outbox, by kind. */
import { textOf } from '../../i18n/texts'
import { jobTexts } from './texts'

const names: Readonly<Record<string, keyof (typeof jobTexts)['en']>> = {
  'auth.reset-mail': 'mailReset',
  'edge.forget': 'forgetPhone',
  'message.opt_out_reply': 'answerStop',
  'message_media.fetch': 'fetchFile',
  'message_media.remove': 'removeFile',
  ivr_callback: 'callBack',
  place_call: 'placeCall',
  remove_recordings: 'removeRecordings',
  store_recording: 'storeRecording',
  voice_agent_evaluation: 'evaluate',
}

/** Name of a job; the kind itself if a newer server has one more. */
export function jobNameOf(kind: string): string {
  const name = names[kind]
  return name ? textOf(jobTexts, name) : kind
}
