/** Texts of timeline entries. */
import type { TextKey, Translate } from '../../../i18n/texts'
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

/** Details of an event as names and values, by the API's names as documented. */
export function detailsOf({ details, sip_code, hangup_cause }: EventOfCall): [string, string][] {
  const own = { ...(sip_code && { sip_code }), ...(hangup_cause && { hangup_cause }) }
  return Object.entries({ ...own, ...details }).flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined || value === '' ? [] : [[name, shown(value)]],
  )
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The most telling detail, for short labels. */
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
