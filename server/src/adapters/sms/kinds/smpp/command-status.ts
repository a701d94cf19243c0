/** command_status (SMPP 3.4, table 5-2): what it is called, and what a submission that gets it can hope for. */
import type { RefusalKind, Refusals } from '../../link.js'

interface Status {
  readonly name: string
  readonly meaning: string
  readonly kind: RefusalKind
}

/**
 * What is wrong with the link's settings (TON, NPI, esm_class, parameters …) or with the sender is wrong at this carrier,
 * and another may take the message.
 */
const STATUSES: Readonly<Record<number, readonly [name: string, meaning: string, kind: RefusalKind]>> = {
  0x00: ['ESME_ROK', 'no error', 'temporary'],
  0x01: ['ESME_RINVMSGLEN', 'invalid message length', 'carrier'],
  0x02: ['ESME_RINVCMDLEN', 'invalid command length', 'carrier'],
  0x03: ['ESME_RINVCMDID', 'invalid command', 'carrier'],
  0x04: ['ESME_RINVBNDSTS', 'not bound for this command', 'temporary'],
  0x05: ['ESME_RALYBND', 'already bound', 'temporary'],
  0x06: ['ESME_RINVPRTFLG', 'invalid priority', 'carrier'],
  0x07: ['ESME_RINVREGDLVFLG', 'invalid registered delivery', 'carrier'],
  0x08: ['ESME_RSYSERR', 'system error', 'temporary'],
  0x0a: ['ESME_RINVSRCADR', 'invalid source address', 'carrier'],
  0x0b: ['ESME_RINVDSTADR', 'invalid destination address', 'permanent'],
  0x0c: ['ESME_RINVMSGID', 'invalid message id', 'carrier'],
  0x0d: ['ESME_RBINDFAIL', 'bind failed', 'temporary'],
  0x0e: ['ESME_RINVPASWD', 'invalid password', 'temporary'],
  0x0f: ['ESME_RINVSYSID', 'invalid system id', 'temporary'],
  0x11: ['ESME_RCANCELFAIL', 'cancelling failed', 'carrier'],
  0x13: ['ESME_RREPLACEFAIL', 'replacing failed', 'carrier'],
  0x14: ['ESME_RMSGQFUL', 'message queue full', 'destination'],
  0x15: ['ESME_RINVSERTYP', 'invalid service type', 'carrier'],
  0x33: ['ESME_RINVNUMDESTS', 'invalid number of destinations', 'carrier'],
  0x34: ['ESME_RINVDLNAME', 'invalid distribution list', 'carrier'],
  0x40: ['ESME_RINVDESTFLAG', 'invalid destination flag', 'carrier'],
  0x42: ['ESME_RINVSUBREP', 'invalid submission that replaces', 'carrier'],
  0x43: ['ESME_RINVESMCLASS', 'invalid esm_class', 'carrier'],
  0x44: ['ESME_RCNTSUBDL', 'cannot submit to a distribution list', 'carrier'],
  0x45: ['ESME_RSUBMITFAIL', 'submitting failed', 'temporary'],
  0x48: ['ESME_RINVSRCTON', 'invalid TON of the source', 'carrier'],
  0x49: ['ESME_RINVSRCNPI', 'invalid NPI of the source', 'carrier'],
  0x50: ['ESME_RINVDSTTON', 'invalid TON of the destination', 'carrier'],
  0x51: ['ESME_RINVDSTNPI', 'invalid NPI of the destination', 'carrier'],
  0x53: ['ESME_RINVSYSTYP', 'invalid system type', 'temporary'],
  0x54: ['ESME_RINVREPFLAG', 'invalid replace flag', 'carrier'],
  0x55: ['ESME_RINVNUMMSGS', 'invalid number of messages', 'carrier'],
  0x58: ['ESME_RTHROTTLED', 'too many messages at once', 'throttled'],
  0x61: ['ESME_RINVSCHED', 'invalid scheduled delivery time', 'carrier'],
  0x62: ['ESME_RINVEXPIRY', 'invalid validity period', 'carrier'],
  0x63: ['ESME_RINVDFTMSGID', 'invalid predefined message', 'carrier'],
  0x64: ['ESME_RX_T_APPN', 'temporary error of the receiver', 'temporary'],
  0x65: ['ESME_RX_P_APPN', 'permanent error of the receiver', 'permanent'],
  0x66: ['ESME_RX_R_APPN', 'rejected by the receiver', 'permanent'],
  0x67: ['ESME_RQUERYFAIL', 'querying failed', 'carrier'],
  0xc0: ['ESME_RINVOPTPARSTREAM', 'error in the optional parameters', 'carrier'],
  0xc1: ['ESME_ROPTPARNOTALLWD', 'optional parameter not allowed', 'carrier'],
  0xc2: ['ESME_RINVPARLEN', 'invalid parameter length', 'carrier'],
  0xc3: ['ESME_RMISSINGOPTPARAM', 'optional parameter missing', 'carrier'],
  0xc4: ['ESME_RINVOPTPARAMVAL', 'invalid value of an optional parameter', 'carrier'],
  0xfe: ['ESME_RDELIVERYFAILURE', 'delivery failed', 'temporary'],
  0xff: ['ESME_RUNKNOWNERR', 'unknown error', 'temporary'],
}

/** Statuses of our own answers. */
export const OK = 0x00
export const INVALID_COMMAND = 0x03
export const INVALID_DESTINATION = 0x0b
export const TEMPORARY_ERROR = 0x64
export const PERMANENT_ERROR = 0x65

/** In the notation of SMPP: `0x0000000B`. */
export function statusCode(status: number): string {
  return `0x${status.toString(16).toUpperCase().padStart(8, '0')}`
}

/** A status that the table lacks is the SMSC's own: another carrier may think otherwise. */
export function describeStatus(status: number): Status {
  const [name, meaning, kind] = STATUSES[status] ?? ['status', 'error of the SMSC', 'carrier']
  return { name, meaning, kind }
}

/** The kind of refusal that a status means. @param refusals the carrier's own meanings of its statuses */
export function refusalKind(status: number, refusals: Refusals): RefusalKind {
  const own = Object.entries(refusals).find(([code]) => Number(code) === status)
  return own?.[1] ?? describeStatus(status).kind
}

/** For logs and operators: `ESME_RINVPASWD (0x0000000E): invalid password`. */
export function statusText(status: number): string {
  const { name, meaning } = describeStatus(status)
  return `${name} (${statusCode(status)}): ${meaning}`
}
