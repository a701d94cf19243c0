/** What the far end of a call saw of it: a telephone's carrier, or somebody who calls us. */
import { type SipMessage, header } from '../../../server/dist/test/support/sip-message.js'

/** `carrier` is called by us, `caller` calls us. */
export type Side = 'carrier' | 'caller'

/** Times are milliseconds since 1970, null where it did not happen. */
export interface FarCall {
  side: Side
  /** The number that only this call has: its called party or its caller. */
  number: string
  invitedAt: number
  /** Final status of a caller who was refused, or of what the carrier refused. */
  refusedWith: number | null
  /** When its 200 was sent, or came. */
  answeredAt: number | null
  /** When the ACK came, or was sent: both ends know by then. */
  acknowledgedAt: number | null
  byeBy: 'far' | 'jackfield' | null
  byeAt: number | null
  /** Of a BYE of the far end: when and with what it was answered. */
  byeAnsweredAt: number | null
  byeStatus: number | null
}

/**
 * @param messages of one Call-ID, in order
 * @returns null for messages that are no call
 */
export function farCall(side: Side, messages: readonly SipMessage[]): FarCall | null {
  const invite = messages.find(({ method, status }) => method === 'INVITE' && status === 0)
  if (!invite) return null
  const written = side === 'carrier' ? invite.text : (header(invite, 'From') ?? '')
  const number = /sips?:(\+\d+)@/.exec(written)?.[1]
  if (number === undefined) return null
  const final = messages.find(({ method, status }) => method === 'INVITE' && status >= 200)
  const isAnswered = final?.status === 200
  const acknowledged = messages.find(({ method }) => method === 'ACK')
  const bye = messages.find(({ method, status }) => method === 'BYE' && status === 0)
  const byFar = bye?.direction === 'sent'
  const byeAnswer = byFar
    ? messages.find(({ method, status }) => method === 'BYE' && status >= 200)
    : undefined
  return {
    side,
    number,
    invitedAt: invite.at,
    refusedWith: final && !isAnswered ? final.status : null,
    answeredAt: isAnswered ? final.at : null,
    acknowledgedAt: isAnswered ? (acknowledged?.at ?? null) : null,
    byeBy: bye ? (byFar ? 'far' : 'jackfield') : null,
    byeAt: bye?.at ?? null,
    byeAnsweredAt: byeAnswer?.at ?? null,
    byeStatus: byeAnswer?.status ?? null,
  }
}
