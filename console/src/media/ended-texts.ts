/** Texts of the reasons for which calls end, as in docs/integrate/apps.md. */
import { defineTexts, useTexts } from '../i18n/texts'

const texts = defineTexts('call-ends', {
  en: {
    answered_elsewhere: 'Answered on another device',
    busy: 'They are busy',
    caller_hangup: 'The caller has hung up',
    failed: 'The call was cut',
    hangup: 'Call ended',
    no_sound: 'No sound gets through: the network may not let it pass',
    offline: 'Cannot be reached at the moment',
    rejected: 'The call was declined',
    replaced: 'Taken over by another window',
    timeout: 'No answer',
    transferred: 'Handed over',
    unreached: 'The call could not be connected',
    wrong_number: 'There is no such number',
  },
  de: {
    answered_elsewhere: 'Auf einem anderen Gerät angenommen',
    busy: 'Besetzt',
    caller_hangup: 'Der Anrufer hat aufgelegt',
    failed: 'Das Gespräch ist abgebrochen',
    hangup: 'Gespräch beendet',
    no_sound: 'Kein Ton kommt durch: Vielleicht lässt ihn das Netz nicht zu',
    offline: 'Zurzeit nicht erreichbar',
    rejected: 'Der Anruf wurde abgelehnt',
    replaced: 'Von einem anderen Fenster übernommen',
    timeout: 'Niemand hat abgenommen',
    transferred: 'Übergeben',
    unreached: 'Der Anruf kam nicht zustande',
    wrong_number: 'Diese Nummer gibt es nicht',
  },
})

const isKnown = (reason: string): reason is keyof typeof texts.en => reason in texts.en

/** Text of a reason; unknown ones count as a failed call. */
export function useEndedWords(): (reason: string) => string {
  const t = useTexts(texts)
  return (reason) => t(isKnown(reason) ? reason : 'failed')
}
