/** A call that comes in from the edge. */
import { microseconds } from './switch-event.js'

/** What the switch says of it. */
export interface Arrival {
  readonly channelId: string
  /** The call that somebody has begun to make of it; null for a new one. */
  readonly takenFor: string | null
  /** Whom it is for: the user part of the request URI. */
  readonly dialled: string
  /** The host of the request URI; empty where the switch does not say it. */
  readonly dialledHost: string
  /** The user part of From, and the display name; empty when there is none. */
  readonly caller: { readonly number: string; readonly name: string }
  /** Address that its INVITE came from. */
  readonly source: string
  /** When the switch took it up, which is later than it was sent; null where that is not known. */
  readonly takenAt: Date | null
  /** Whether the caller speaks Opus, and so hears more than a telephone line carries. */
  readonly speaksOpus: boolean
  /** The Call-ID of its INVITE; null when it is none that can be kept. */
  readonly sipCallId: string | null
  /** A header of the INVITE whose name begins with `X-`; spelled as the edge writes it. */
  header(name: string): string | undefined
}

/**
 * Reads an arrival from a channel's headers.
 * @returns null for channels that we dialled ourselves, and for answered ones
 */
export function arrivalOf(header: (name: string) => string | undefined): Arrival | null {
  const channelId = header('Unique-ID')
  if (!channelId || header('Call-Direction') !== 'inbound' || header('Answer-State') !== 'ringing')
    return null
  return {
    channelId,
    takenFor: header('variable_jackfield_call') ?? null,
    dialled: header('Caller-Destination-Number') ?? '',
    dialledHost: header('variable_sip_req_host')?.toLowerCase() ?? '',
    caller: {
      number: header('Caller-Caller-ID-Number') ?? '',
      name: header('Caller-Caller-ID-Name') ?? '',
    },
    source: header('variable_sip_network_ip') ?? '',
    takenAt: microseconds(header('Caller-Channel-Created-Time')),
    speaksOpus: /opus/i.test(header('variable_ep_codec_string') ?? ''),
    sipCallId: keptCallId(header('variable_sip_call_id')),
    header: (name) => header(`variable_sip_h_${name}`),
  }
}

/** A caller may write anything there; what is no ASCII or too long is not worth a row's failure. */
function keptCallId(text = ''): string | null {
  return /^[\x21-\x7e]{1,255}$/.test(text) ? text : null
}
