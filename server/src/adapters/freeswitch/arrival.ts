/** A call that comes in from the edge. */
import { microseconds } from './switch-event.js'

/** Audio bandwidth of a caller: a telephone's, 7 kHz (G.722, which it offers first), or full (Opus). */
export type CallerBand = 'narrow' | 'wide' | 'full'

/** An incoming channel, as the switch reports it. */
export interface Arrival {
  readonly channelId: string
  /** The call that somebody has begun to make of it; null for a new one. */
  readonly takenFor: string | null
  /** The called party: the user part of the request URI. */
  readonly dialled: string
  /** The host of the request URI; empty if the switch does not report it. */
  readonly dialledHost: string
  /** The caller as the edge asserts it; the name is empty if there is none. */
  readonly caller: { readonly number: string; readonly name: string }
  /** Whether a phone does not want its number to be shown (RFC 3323, 3325). */
  readonly isWithheld: boolean
  /** Address that its INVITE came from. */
  readonly source: string
  /** When the switch took it up, which is later than it was sent; null where that is not known. */
  readonly takenAt: Date | null
  readonly hears: CallerBand
  /** Whether its INVITE has no SDP: its ACK has the answer, and it hears nothing before. */
  readonly offersLate: boolean
  /** The Call-ID of its INVITE; null if it cannot be stored. */
  readonly sipCallId: string | null
  /** A header of the INVITE whose name begins with `X-`, in the edge's spelling. */
  header(name: string): string | undefined
}

/**
 * Reads an arrival from a channel's headers.
 * @returns null for channels that we dialled ourselves, and for answered ones
 */
export function arrivalOf(header: (name: string) => string | undefined): Arrival | null {
  const channelId = header('Unique-ID')
  const number = header('Caller-Caller-ID-Number') ?? ''
  const name = header('Caller-Caller-ID-Name') ?? ''
  if (!channelId || header('Call-Direction') !== 'inbound' || header('Answer-State') !== 'ringing')
    return null
  return {
    channelId,
    takenFor: header('variable_jackfield_call') ?? null,
    dialled: header('Caller-Destination-Number') ?? '',
    dialledHost: header('variable_sip_req_host')?.toLowerCase() ?? '',
    // The edge writes the number in the place of a missing name: the switch would take the one in From.
    caller: { number, name: name === number ? '' : name },
    isWithheld: header('variable_sip_h_X-Edge-Privacy') === 'id',
    source: header('variable_sip_network_ip') ?? '',
    takenAt: microseconds(header('Caller-Channel-Created-Time')),
    hears: bandOf(header('variable_ep_codec_string') ?? ''),
    offersLate: header('variable_endpoint_disposition') === 'RECEIVED_NOSDP',
    sipCallId: keptCallId(header('variable_sip_call_id')),
    header: (name) => header(`variable_sip_h_${name}`),
  }
}

/** @param codecs those of the offer that the switch has, in its order: `mod_opus.opus@48000h@20i,CORE_PCM_MODULE.PCMU@…` */
function bandOf(codecs: string): CallerBand {
  if (/opus/i.test(codecs)) return 'full'
  return /^[^,]*G722/i.test(codecs) ? 'wide' : 'narrow'
}

/** A caller may write anything there: a Call-ID that is not ASCII or too long must not fail the row. */
function keptCallId(text = ''): string | null {
  return /^[\x21-\x7e]{1,255}$/.test(text) ? text : null
}
