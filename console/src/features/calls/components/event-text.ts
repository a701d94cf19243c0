/** What an entry of a call's timeline says. */
import type { TextKey, Translate } from '../../../i18n/texts'
import type { CallEvent } from '../queries'
import type { callWords } from '../words'

/** Of an event, what says what it was. */
export type EventOfCall = Pick<CallEvent, 'event' | 'details' | 'hangup_cause'> &
  Partial<Pick<CallEvent, 'sip_code'>>

type Texts = (typeof callWords)['en']

/** `call.ivr_collected` is `event_ivr_collected` among the texts. */
export function titleOf(t: Translate<Texts>, { event }: Pick<EventOfCall, 'event'>): string {
  return t(`event_${event.slice('call.'.length)}` as TextKey<Texts>)
}

/** The fields of what happened, as names and values; the API's own, as they stand in its documentation. */
export function detailsOf({ details, sip_code, hangup_cause }: EventOfCall): [string, string][] {
  const own = { ...(sip_code && { sip_code }), ...(hangup_cause && { hangup_cause }) }
  return Object.entries({ ...own, ...details }).flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined || value === '' ? [] : [[name, shown(value)]],
  )
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The one that says most, for where there is room for few words. */
export function briefOf(event: EventOfCall): string {
  const details = new Map(detailsOf(event))
  const first = [
    'node_id',
    'action',
    'type',
    'tool',
    'kind',
    'digits',
    'keys',
    'answered_by',
    'mode',
    'hangup_cause',
  ].find((name) => details.has(name))
  const last = ['outcome', 'status', 'position'].find((name) => details.has(name))
  return [first, last].flatMap((name) => (name ? (details.get(name) ?? []) : [])).join(': ')
}
