/** Octets become what their sender meant: 3GPP TS 23.038 and SMPP 3.4. */
import { expect } from 'chai'
import { inboundText } from '../../src/adapters/sms/kinds/smpp/data-coding.js'
import { SMPP_DEFAULTS, type SmppSettings } from '../../src/adapters/sms/kinds/smpp/settings.js'
import { cleanText } from '../../src/adapters/sms/text/clean.js'
import {
  type EncodedText,
  asUcs2,
  codingOf,
  decodeTexts,
  encodedText,
} from '../../src/adapters/sms/text/encoded-text.js'
import { encodeGsm7, packSeptets, unpackSeptets } from '../../src/adapters/sms/text/gsm7.js'
import { lockingTables, singleTables } from '../../src/adapters/sms/text/national-alphabets.js'

const octets = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const gsm7 = (hex: string, locking = 0, single = 0): EncodedText => ({
  ...{ octets: octets(hex), alphabet: 'gsm7', tables: { locking, single } },
})
const ucs2 = (hex: string): EncodedText => ({ octets: octets(hex), alphabet: 'ucs2' })
const of = (alphabet: Exclude<EncodedText['alphabet'], 'gsm7'>, hex: string): EncodedText => ({
  octets: octets(hex),
  alphabet,
})

describe('encoded texts', () => {
  it('are joined before they are decoded: escapes, surrogates, characters of several octets', () => {
    const cases: [EncodedText[], string][] = [
      [[gsm7('35 1b'), gsm7('65 20')], '5€ '],
      [[gsm7('1b'), gsm7('28 1b'), gsm7('29')], '{}'],
      [[ucs2('0041 d83d'), ucs2('de00 0042')], 'A😀B'],
      // A border within a unit.
      [[ucs2('0041 d8'), ucs2('3d de00')], 'A😀'],
      [[of('utf8', '41 f0 9f'), of('utf8', '98 80 42')], 'A😀B'],
      [[of('shift_jis', '82'), of('shift_jis', 'a0')], 'あ'],
      [[of('iso-2022-jp', '1b 24 42 24'), of('iso-2022-jp', '22 1b 28 42')], 'あ'],
      // Each by itself where they differ.
      [[gsm7('41 1b'), ucs2('0416')], 'A Ж'],
      [[gsm7('1b 65', 1, 1), gsm7('1b 67', 1, 1), gsm7('67', 0, 0)], '€ğg'],
    ]
    for (const [parts, text] of cases) expect(decodeTexts(parts)).to.equal(text)
  })

  it('have byte order marks of both kinds, in the first part or in each', () => {
    for (const parts of [
      [ucs2('feff 0041 0416')],
      [ucs2('fffe 4100 1604')],
      [ucs2('fffe 4100'), ucs2('1604')],
      [ucs2('fffe 4100'), ucs2('fffe 1604')],
      [ucs2('feff 0041'), ucs2('fffe 1604')],
      [ucs2('fffe 4100 16'), ucs2('04')],
    ]) {
      expect(decodeTexts(parts)).to.equal('AЖ')
    }
    expect(decodeTexts([of('utf8', 'efbbbf 41')])).to.equal('A')
  })

  it('end with the NUL of a C string, which is no letter', () => {
    const cases: [EncodedText[], string][] = [
      [[gsm7('48 69 00')], 'Hi'],
      [[gsm7('48 69 00 00')], 'Hi'],
      [[gsm7('00')], '@'],
      [[gsm7('61 00 62')], 'a@b'],
      [[gsm7('61 00'), gsm7('62')], 'a@b'],
      [[gsm7('61 00'), gsm7('62 00')], 'ab'],
      [[{ ...gsm7('61 00'), endsInText: true }], 'a@'],
      [[of('ascii', '48 69 00')], 'Hi'],
      [[ucs2('0048 0069 0000')], 'Hi'],
      [[ucs2('0048 0069 00')], 'Hi'],
      [[ucs2('0100')], 'Ā'],
      [[of('latin1', '00 00')], ''],
    ]
    for (const [parts, text] of cases) expect(decodeTexts(parts)).to.equal(text)
  })

  it('are kept as a column holds them', () => {
    for (const text of [gsm7('41'), gsm7('41', 3, 13), ucs2('0041'), of('euc-kr', '41'), asUcs2('A😀')]) {
      const kept = encodedText(text.octets, codingOf(text))
      expect(decodeTexts([kept])).to.equal(decodeTexts([text]))
    }
    const whole = { ...gsm7('61 00'), endsInText: true }
    expect(decodeTexts([encodedText(whole.octets, codingOf(whole))])).to.equal('a@')
    expect(decodeTexts([encodedText(octets('0041'), null)])).to.equal('A')
  })

  it('have the letters of their language', () => {
    expect(decodeTexts([gsm7('0b 0c 1c 1d 60', 1)])).to.equal('ĞğŞşç')
    expect(decodeTexts([gsm7('41 1b 47 1b 67 1b 49 1b 69', 0, 1)])).to.equal('AĞğİı')
    expect(decodeTexts([gsm7('1b 41 1b 61 1b 09 1b 75', 0, 2)])).to.equal('Ááçú')
    expect(decodeTexts([gsm7('0e 12 7b 1b 05 1b 7b', 3, 3)])).to.equal('Áªãêã')
    expect(decodeTexts([gsm7('2f 42 4c 5f 27 59', 6)])).to.equal('\u0928\u092e\u0938\u094d\u0924\u0947')
    expect(decodeTexts([gsm7('1b 1c 1b 1d 1b 1e', 0, 6)])).to.equal('०१२')
    expect(decodeTexts([gsm7('00 01 02', 13)])).to.equal('اآب')
    // Unknown tables are the default ones.
    expect(decodeTexts([gsm7('00 1b 65', 99, 99)])).to.equal('@€')
    for (const [identifier, table] of lockingTables) {
      expect([...table].length, String(identifier)).to.equal(128)
      expect(table[0x30] === '0' || table.includes('0123456789'), String(identifier)).to.equal(true)
      expect(table[0x0a]).to.equal('\n')
      expect(table[0x0d]).to.equal('\r')
    }
    expect([...singleTables.keys()]).to.eql([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
    for (const [identifier, table] of singleTables) {
      expect(table.get(0x65), String(identifier)).to.equal('€')
      for (const [code, character] of [
        [0x14, '^'],
        [0x28, '{'],
        [0x29, '}'],
        [0x2f, '\\'],
        [0x3c, '['],
        [0x3d, '~'],
        [0x3e, ']'],
        [0x40, '|'],
      ] as const) {
        expect(table.get(code), `${identifier} ${code}`).to.equal(character)
      }
    }
  })

  it('are septets that are packed, behind a header too', () => {
    for (let length = 0; length <= 24; length++) {
      for (const fill of [0, 1, 6]) {
        const text = encodeGsm7('Packed {€} septets, a lot'.slice(0, length))
        const back = unpackSeptets(packSeptets(text, fill), fill)
        expect(back.toString('hex'), `${length} ${fill}`).to.equal(text.toString('hex'))
      }
    }
    // "hellohello" of TS 23.038 implementations
    expect(packSeptets(encodeGsm7('hellohello')).toString('hex')).to.equal('e8329bfd4697d9ec37')
  })

  it('lose control characters, and halves of surrogates', () => {
    expect(cleanText('a\0b\u0007c\u0085d\u007f\ufeffe\ufffef\ud83dg\uffff')).to.equal('abcdef\ufffdg')
    expect(cleanText('one\r\ntwo\tthree\ffour 👩‍👩‍👧 é')).to.equal('one\r\ntwo\tthree\nfour 👩‍👩‍👧 é')
  })
})

describe('data codings', () => {
  const decoded = (hex: string, data_coding: number, settings: Partial<SmppSettings> = {}) => {
    const inbound = { ...SMPP_DEFAULTS, ...settings } as SmppSettings
    return decodeTexts([inboundText(octets(hex), { data_coding }, inbound)])
  }

  it('are those of SMPP and the groups of TS 23.038', () => {
    const euro = '1b 65'
    const cases: [codings: number[], hex: string, text: string][] = [
      // GSM-7: default, class 0 to 3, automatic deletion, reserved, message waiting (discard and store), 0xf0 to 0xf3
      [[0, 0x10, 0x11, 0x13, 0x40, 0x50, 0x80, 0xb0, 0xc0, 0xc8, 0xd0, 0xdb, 0xf0, 0xf3, 11, 15], euro, '€'],
      [[8, 0x18, 0x1b, 0x48, 0x58, 0xe0, 0xe8, 0xef], '20ac', '€'],
      [[3, 1, 2, 4, 0x14, 0x44, 0xf4, 0xf7], 'e9', 'é'],
      [[3], '80', '€'],
      [[5, 9], '82a0', 'あ'],
      [[6], 'bf', 'П'],
      [[7], 'e0', 'א'],
      [[10], '1b2442 2422 1b2842', 'あ'],
      [[13], 'a4a2', 'あ'],
      [[14], 'b0a1', '가'],
    ]
    for (const [codings, hex, text] of cases) {
      for (const coding of codings) expect(decoded(hex, coding), `0x${coding.toString(16)}`).to.equal(text)
    }
  })

  it('mean what the carrier says that they mean', () => {
    // npm smpp sends GSM 03.38 with data_coding 1
    const gruesse = encodeGsm7('Grüße €{ok} @_').toString('hex')
    expect(decoded(gruesse, 1, { inbound_ascii_data_coding: 'gsm7' })).to.equal('Grüße €{ok} @_')
    expect(decoded('c3a9', 0, { inbound_default_data_coding: 'utf8' })).to.equal('é')
    expect(decoded('00e9', 4, { inbound_binary_data_coding: 'ucs2' })).to.equal('é')
    expect(decoded('c3a9', 0xf5, { inbound_binary_data_coding: 'utf8' })).to.equal('é')
    expect(decoded('e8329bfd4697d9ec37', 0, { inbound_default_data_coding: 'gsm7_packed' })).to.equal(
      'hellohello',
    )
    expect(decoded('e8329bfd4697d9ec37', 0xf1, { inbound_default_data_coding: 'gsm7_packed' })).to.equal(
      'hellohello',
    )
    expect(decoded('6100', 0, { inbound_trailing_nul: 'text' })).to.equal('a@')
  })
})
