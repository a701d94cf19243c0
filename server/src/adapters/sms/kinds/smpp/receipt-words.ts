/** Meanings of the words of receipts: those of SMPP, and those of single SMSCs. */
import type { ReceiptState as State } from '../../link.js'
import { meaningIn } from '../../meaning.js'

/** message_state (SMPP 3.4, 5.2.28; SMPP 5.0, 4.7.15) by its number, which some SMSCs write as a word too. */
export const messageStates: readonly string[] = [
  ...['SCHEDULED', 'ENROUTE', 'DELIVRD', 'EXPIRED', 'DELETED'],
  ...['UNDELIV', 'ACCEPTD', 'UNKNOWN', 'REJECTD', 'SKIPPED'],
]

/**
 * By how words begin, as they are cut and spelt in many ways; the first that fits counts. ACCEPTD is an end: the message
 * was read on the subscriber's behalf. What is not here is no end.
 */
const beginnings: readonly (readonly [begin: string, state: State, meaning: string])[] = [
  ['DELET', 'undelivered', 'deleted by the carrier'],
  ...endings('delivered', '', 'DELIV DLVRD DLIVRD ACCEPT SUCCESS READ SEEN DISPLAYED'),
  ...endings('undelivered', 'not delivered in time', 'EXPIR TIMEOUT TIMED'),
  ...endings('undelivered', 'not deliverable', 'UNDEL UNDLV NOTDEL NOT_DEL NONDEL NON_DEL NDELIV'),
  ...endings('undelivered', 'lost by the carrier', 'UNKN LOST'),
  ...endings('undelivered', 'delivery failed', 'FAIL ERR NACK NAK'),
  ...endings('undelivered', 'skipped by the carrier', 'SKIP CANCEL'),
  ...endings('undelivered', 'blocked', 'BLOCK BLKD BLACKL BARRED FILTER SPAM DND OPTOUT OPT_OUT'),
  ...endings('undelivered', 'the handset cannot be reached', 'ABSENT UNREACH OFF NOTREACH NOT_REACH'),
  ...endings('undelivered', 'no such handset', 'INVALID UNASSIGN NOSUCH NO_SUCH'),
  ...endings('failed', 'rejected by the carrier', 'REJ DENIED'),
  ...endings('failed', 'no credit at the carrier', 'NO_CRED NOCRED NO-CRED INSUFF'),
  ...endings('failed', 'the carrier has no route', 'NO_ROUTE NOROUTE NO-ROUTE'),
]

function endings(state: State, meaning: string, words: string): [string, State, string][] {
  return words.split(' ').map((word) => [word, state, meaning])
}

/** The meaning of a word. @param own the carrier's table, which overrides the common one */
export function meaningOf(
  word: string,
  own: Readonly<Record<string, State>>,
): { state: State; meaning: string } {
  const state = meaningIn(own, word)
  if (state) return { state, meaning: 'ended by the carrier' }
  const name = (/^\d$/.test(word) ? messageStates[Number(word)] : undefined) ?? word
  const [, known, meaning] = beginnings.find(([begin]) => name.toUpperCase().startsWith(begin)) ?? []
  return { state: known ?? 'pending', meaning: meaning ?? '' }
}
