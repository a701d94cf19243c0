/** Texts of timeline entries. */
import { type EndedBy, causeInWords } from '../../../api/call-words/causes'
import { detailsInWords, valueInWords } from '../../../api/call-words/details'
import { detailTexts } from '../../../api/call-words/texts'
import { type TextKey, type Translate, textOf } from '../../../i18n/texts'
import type { CallEvent } from '../workspace-calls'
import type { callWords } from '../texts'

/** The fields of an event that its text needs. */
export type EventOfCall = Pick<CallEvent, 'event' | 'details' | 'hangup_cause'> &
  Partial<Pick<CallEvent, 'sip_code'>>

type Texts = (typeof callWords)['en']

/** Text key of an event: `call.ivr_collected` is `event_ivr_collected`. */
export function titleOf(t: Translate<Texts>, { event }: Pick<EventOfCall, 'event'>): string {
  return t(`event_${event.slice('call.'.length)}` as TextKey<Texts>)
}

/** What an event says to people, as names and values. @param endedBy who ended the call */
export function detailsOf({ details, hangup_cause }: EventOfCall, endedBy: EndedBy): [string, string][] {
  const end: [string, string][] = hangup_cause
    ? [[textOf(detailTexts, 'cause'), causeInWords(hangup_cause, endedBy)]]
    : []
  return [...end, ...detailsInWords(details ?? {})]
}

/** The event as the API says it. */
export function rawOf({ details, sip_code, hangup_cause }: EventOfCall): string {
  return JSON.stringify({ ...(sip_code && { sip_code }), ...(hangup_cause && { hangup_cause }), ...details })
}

/** Details that tell most: the first of them that an event has. */
const firstOnes = ['node_id', 'action', 'type', 'tool', 'kind', 'digits', 'keys', 'answered_by', 'mode']
const lastOnes = ['outcome', 'status', 'position']

/** The most telling details, for short labels. */
export function briefOf(event: EventOfCall, endedBy: EndedBy = null): string {
  const details: Record<string, unknown> = { ...event.details }
  const telling = [firstOnes, lastOnes].flatMap((names) => {
    const name = names.find((one) => valueInWords(details[one]) !== undefined)
    return name === undefined ? [] : [valueInWords(details[name])]
  })
  if (telling.length === 0 && event.hangup_cause) return causeInWords(event.hangup_cause, endedBy)
  return telling.join(': ')
}
