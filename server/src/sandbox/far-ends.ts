/** The simulated lines: what the documented test numbers and hosts do when they are called. */
import type { SipTarget } from './dial-string.js'

/** One thing the far end does, `after` milliseconds from the INVITE. */
export type FarEndStep = { after: number } & (
  | { does: 'ring' }
  | { does: 'early media' }
  | { does: 'answer' }
  | { does: 'press'; keys: string }
  | { does: 'hang up' }
  | { does: 'refuse'; status: number; phrase: string }
  | { does: 'challenge' }
)

export interface Credentials {
  username: string
  password: string
}

/** A host that is reached answers within this. */
const SOON = 20
/** The edge gives a silent carrier this long, then answers 408 itself. */
const EDGE_PATIENCE = 3000

const refuse = (status: number, phrase: string, after = SOON): FarEndStep[] => [
  { after, does: 'refuse', status, phrase },
]
const answers: FarEndStep[] = [
  { after: SOON, does: 'ring' },
  { after: SOON + 200, does: 'answer' },
]
const silent = refuse(408, 'Request Timeout', EDGE_PATIENCE)

/** The test numbers by their last four digits; `docs/start/sandbox.md` lists them for users. */
const NUMBERS: Readonly<Record<string, readonly FarEndStep[]>> = {
  '0100': answers,
  '0101': refuse(486, 'Busy Here'),
  '0102': [{ after: SOON, does: 'ring' }],
  '0103': refuse(404, 'Not Found'),
  '0104': refuse(603, 'Decline'),
  '0105': refuse(503, 'Service Unavailable'),
  '0106': [...answers, { after: SOON + 2200, does: 'hang up' }],
  '0107': [...answers, { after: SOON + 1200, does: 'press', keys: '1234#' }],
  '0108': silent,
  '0109': [
    { after: SOON, does: 'early media' },
    { after: SOON + 1000, does: 'answer' },
  ],
}

/** What happens at the far end of a leg. The host is looked at before the number, as on a real network. */
export function farEndOf(target: SipTarget, credentials: Credentials): readonly FarEndStep[] {
  const { host, port } = target
  if (port === 9 || /(^|\.)dead\.sandbox$/.test(host)) return silent
  if (/(^|\.)refusing\.sandbox$/.test(host)) return refuse(503, 'Service Unavailable')
  if (/(^|\.)digest\.sandbox$/.test(host)) {
    if (!credentials.username) return [{ after: SOON, does: 'challenge' }]
    if (credentials.username !== 'sandbox' || credentials.password !== 'sandbox')
      return refuse(403, 'Forbidden', 2 * SOON)
  }
  return NUMBERS[/^\+?1202555(\d{4})$/.exec(target.user)?.[1] ?? ''] ?? answers
}
