/** How texts are written as octets: data_coding (SMPP 3.4, 5.2.19, and 3GPP TS 23.038, 4). */
import type { TextEncoding } from '../link.js'
import { decodeGsm7, encodeGsm7 } from '../text/gsm7.js'
import type { SmppSettings } from './settings.js'

export interface EncodedText {
  readonly data_coding: number
  readonly octets: Buffer
}

/** Whether a text of the GSM-7 alphabet can go as the carrier wants these. */
export function fits(body: string, coding: SmppSettings['gsm7_data_coding']): boolean {
  if (coding === 'gsm7') return true
  const last = coding === 'ascii' ? 0x7f : 0xff
  for (let index = 0; index < body.length; index++) if (body.charCodeAt(index) > last) return false
  return true
}

/** @param body which {@link fits} */
export function encodeText(
  body: string,
  encoding: TextEncoding,
  coding: SmppSettings['gsm7_data_coding'],
): EncodedText {
  if (encoding === 'ucs2') return { data_coding: 8, octets: Buffer.from(body, 'utf16le').swap16() }
  if (coding === 'gsm7') return { data_coding: 0, octets: encodeGsm7(body) }
  return { data_coding: coding === 'ascii' ? 1 : 3, octets: Buffer.from(body, 'latin1') }
}

/** Of the alphabets that few carriers use, those which a text says clearly. */
const CHARSETS: Readonly<Record<number, string>> = {
  5: 'shift_jis',
  6: 'iso-8859-5',
  7: 'iso-8859-8',
  10: 'iso-2022-jp',
  14: 'euc-kr',
}

/** Never fails: octets that mean nothing become U+FFFD, those that are no text become ISO 8859-1. */
export function decodeText(
  octets: Buffer,
  dataCoding: number,
  defaultCoding: SmppSettings['inbound_default_data_coding'],
): string {
  switch (alphabetOf(dataCoding)) {
    case 'default':
      return defaultCoding === 'gsm7' ? decodeGsm7(octets) : octets.toString('latin1')
    case 'gsm7':
      return decodeGsm7(octets)
    case 'ucs2':
      // not a TextDecoder: a part of a long text may end within a surrogate pair
      return Buffer.from(octets.subarray(0, octets.length & ~1))
        .swap16()
        .toString('utf16le')
    case 'octets':
      return octets.toString('latin1')
    case 'other':
      return new TextDecoder(CHARSETS[dataCoding]).decode(octets)
  }
}

function alphabetOf(dataCoding: number): 'default' | 'gsm7' | 'ucs2' | 'octets' | 'other' {
  if (dataCoding === 0) return 'default'
  if (dataCoding === 8) return 'ucs2'
  if (dataCoding in CHARSETS) return 'other'
  // TS 23.038: general groups with a class, and the group of message classes
  if (dataCoding >= 0x10 && dataCoding < 0x40) {
    const alphabet = (dataCoding >> 2) & 0b11
    return alphabet === 0 ? 'gsm7' : alphabet === 2 ? 'ucs2' : 'octets'
  }
  if (dataCoding >= 0xf0) return dataCoding & 0b100 ? 'octets' : 'gsm7'
  return 'octets'
}
