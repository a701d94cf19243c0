/** Names of the jobs in the server's outbox, by kind. */
import { defineTexts, textOf } from '../../i18n/texts'

const jobTexts = defineTexts('operator-jobs', {
  en: {
    answerStop: 'answers to STOP',
    callBack: 'callbacks to flows',
    evaluate: 'evaluations of voice agents',
    fetchFile: 'files of texts to be fetched',
    forgetPhone: 'registrations to be ended',
    mailReset: 'e-mails for new passwords',
    placeCall: 'calls to be placed',
    removeFile: 'files of texts to be removed',
    removeRecordings: 'recordings to be removed',
    storeRecording: 'recordings to be stored',
  },
  de: {
    answerStop: 'Antworten auf STOP',
    callBack: 'Rückfragen von Abläufen',
    evaluate: 'Prüfungen von Sprachassistenten',
    fetchFile: 'Dateien von Nachrichten holen',
    forgetPhone: 'Anmeldungen beenden',
    mailReset: 'E-Mails für neue Passwörter',
    placeCall: 'Anrufe aufbauen',
    removeFile: 'Dateien von Nachrichten entfernen',
    removeRecordings: 'Aufnahmen entfernen',
    storeRecording: 'Aufnahmen ablegen',
  },
})

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
