/** The simulated handsets: what the documented test numbers do with a text. */
import { STATUS } from './pdu.js'

/** What a handset does with a text. */
export interface Handset {
  /** What the submission is answered with; throttled every other time where `everyOther` says so. */
  readonly status: number
  readonly everyOther?: boolean
  /** What the receipt says, and how long after the submission it comes; null for none. */
  readonly receipt: {
    readonly state: 'DELIVRD' | 'UNDELIV'
    readonly error: string
    readonly afterMs: number
  } | null
  /** What the handset sends back: the same text, or a word. */
  readonly answer?: 'echo' | 'STOP'
}

const SOON = 200

const delivered = { state: 'DELIVRD', error: '000', afterMs: SOON } as const
const takes: Handset = { status: STATUS.ok, receipt: delivered }

/** The test numbers by their last four digits; `docs/start/sandbox.md` lists them for users. */
const NUMBERS: Readonly<Record<string, Handset>> = {
  '0110': takes,
  '0111': { ...takes, receipt: { state: 'UNDELIV', error: '027', afterMs: SOON } },
  '0112': { status: STATUS.invalid_destination, receipt: null },
  '0113': { ...takes, status: STATUS.throttled, everyOther: true },
  '0114': { ...takes, receipt: null },
  '0115': { ...takes, receipt: { ...delivered, afterMs: 10_000 } },
  '0116': { ...takes, answer: 'echo' },
  '0117': { ...takes, answer: 'STOP' },
}

export function handsetOf(number: string): Handset {
  return NUMBERS[/^\+?1202555(\d{4})$/.exec(number)?.[1] ?? ''] ?? takes
}
