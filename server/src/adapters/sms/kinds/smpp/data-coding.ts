/** Encodes and decodes texts: data_coding (SMPP 3.4, 5.2.19, and 3GPP TS 23.038, 4). */
import type { TextEncoding } from '../../link.js'
import type { EncodedText } from '../../text/encoded-text.js'
import { type ShiftTables, encodeGsm7, packSeptets, unpackSeptets } from '../../text/gsm7.js'
import type { InboundAlphabet, SmppSettings } from './settings.js'

export interface CodedText {
  readonly data_coding: number
  readonly octets: Buffer
}

/** Whether a text of the GSM-7 alphabet can go as the carrier wants these. */
export function fits(body: string, coding: SmppSettings['gsm7_data_coding']): boolean {
  if (coding === 'gsm7' || coding === 'gsm7_packed') return true
  const last = coding === 'ascii' ? 0x7f : 0xff
  for (let index = 0; index < body.length; index++) if (body.charCodeAt(index) > last) return false
  return true
}

/** @param body which {@link fits} @param headerLength octets of the header before it, whose end packed septets fill up */
export function encodeText(
  body: string,
  encoding: TextEncoding,
  coding: SmppSettings['gsm7_data_coding'],
  headerLength = 0,
): CodedText {
  if (encoding === 'ucs2') return { data_coding: 8, octets: Buffer.from(body, 'utf16le').swap16() }
  if (coding === 'gsm7') return { data_coding: 0, octets: encodeGsm7(body) }
  if (coding === 'gsm7_packed') {
    return { data_coding: 0, octets: packSeptets(encodeGsm7(body), fillAfter(headerLength)) }
  }
  return { data_coding: coding === 'ascii' ? 1 : 3, octets: Buffer.from(body, 'latin1') }
}

type InboundCodings = Pick<
  SmppSettings,
  | 'inbound_default_data_coding'
  | 'inbound_ascii_data_coding'
  | 'inbound_binary_data_coding'
  | 'inbound_trailing_nul'
>

/** Further fields of a message that decide how its octets are read. */
interface Coded {
  readonly data_coding: number
  readonly tables?: ShiftTables
  readonly headerLength?: number
}

/** Decodes octets. Those without a meaning become U+FFFD, and binary data is read as ISO 8859-1. */
export function inboundText(
  octets: Buffer,
  { data_coding, tables, headerLength = 0 }: Coded,
  settings: InboundCodings,
): EncodedText {
  const alphabet = alphabetOf(data_coding, settings)
  if (alphabet !== 'gsm7' && alphabet !== 'gsm7_packed') return { octets, alphabet }
  const endsInText = settings.inbound_trailing_nul === 'text'
  const isPacked = alphabet === 'gsm7_packed'
  const septets = isPacked ? unpackSeptets(octets, fillAfter(headerLength), endsInText) : octets
  return {
    ...{ octets: septets, alphabet: 'gsm7', ...(tables && { tables }) },
    // Packed septets have no C string around them.
    endsInText: isPacked || endsInText,
  }
}

/** Bits up to the next septet (TS 23.040, 9.2.3.24). */
function fillAfter(headerLength: number): number {
  return (7 - ((headerLength * 8) % 7)) % 7
}

type Read = EncodedText['alphabet'] | 'gsm7_packed'

/** SMPP's own codes of the alphabets that few carriers use. 9, pictograms, is Shift JIS where it is used at all. */
const ofSmpp: Readonly<Record<number, Read>> = {
  ...{ 3: 'latin1', 5: 'shift_jis', 6: 'iso-8859-5', 7: 'iso-8859-8', 8: 'ucs2', 9: 'shift_jis' },
  ...{ 10: 'iso-2022-jp', 13: 'euc-jp', 14: 'euc-kr' },
}

function alphabetOf(dataCoding: number, settings: InboundCodings): Read {
  const gsm7: InboundAlphabet =
    settings.inbound_default_data_coding === 'gsm7_packed' ? 'gsm7_packed' : 'gsm7'
  if (dataCoding === 1) return settings.inbound_ascii_data_coding
  if (dataCoding === 2 || dataCoding === 4) return settings.inbound_binary_data_coding
  // 11, 12 and 15 are reserved, as are 0x80 to 0xbf of TS 23.038: the default alphabet, as it says
  if (dataCoding < 0x10) return ofSmpp[dataCoding] ?? settings.inbound_default_data_coding
  if (dataCoding < 0x80) {
    const alphabet = (dataCoding >> 2) & 0b11
    return alphabet === 1 ? settings.inbound_binary_data_coding : alphabet === 2 ? 'ucs2' : gsm7
  }
  // message waiting: 0xc0 discards, 0xd0 and 0xe0 store
  if (dataCoding < 0xf0) return dataCoding >= 0xe0 ? 'ucs2' : gsm7
  return dataCoding & 0b100 ? settings.inbound_binary_data_coding : gsm7
}
