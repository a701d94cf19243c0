/** Texts of recordings, shared by several pages. */
import { defineTexts } from '../../i18n/texts'

export const recordingTexts = defineTexts('recordings', {
  en: {
    call: 'Recording {{number}}',
    download: 'Download the recording',
    failed: 'Failed',
    pause: 'Pause',
    paused: 'Paused',
    play: 'Play',
    position: 'Position in the recording',
    processing: 'Being stored',
    ready: 'Ready',
    recording: 'Recording now',
    speed: 'Speed',
    tooLong: 'The recording is too long for a waveform.',
    voicemail: 'Voicemail {{number}}',
  },
  de: {
    call: 'Aufnahme {{number}}',
    download: 'Aufnahme herunterladen',
    failed: 'Gescheitert',
    pause: 'Anhalten',
    paused: 'Angehalten',
    play: 'Abspielen',
    position: 'Stelle in der Aufnahme',
    processing: 'Wird gespeichert',
    ready: 'Fertig',
    recording: 'Wird aufgenommen',
    speed: 'Tempo',
    tooLong: 'Die Aufnahme ist zu lang für eine Wellenform.',
    voicemail: 'Sprachnachricht {{number}}',
  },
})
