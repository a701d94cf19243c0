/** Texts as carriers take them: alphabets and segments. */
import { expect } from 'chai'
import { decodeGsm7, encodeGsm7, isGsm7 } from '../../src/adapters/sms/text/gsm7.js'
import { encodingOf, segmentCount, splitText } from '../../src/adapters/sms/text/segments.js'

/** The code points of TS 23.038, 6.2.1, in the order of their codes; 0x1B is the escape. */
const DEFAULT_ALPHABET = `
  0040 00a3 0024 00a5 00e8 00e9 00f9 00ec 00f2 00c7 000a 00d8 00f8 000d 00c5 00e5
  0394 005f 03a6 0393 039b 03a9 03a0 03a8 03a3 0398 039e  esc 00c6 00e6 00df 00c9
  0020 0021 0022 0023 00a4 0025 0026 0027 0028 0029 002a 002b 002c 002d 002e 002f
  0030 0031 0032 0033 0034 0035 0036 0037 0038 0039 003a 003b 003c 003d 003e 003f
  00a1 0041 0042 0043 0044 0045 0046 0047 0048 0049 004a 004b 004c 004d 004e 004f
  0050 0051 0052 0053 0054 0055 0056 0057 0058 0059 005a 00c4 00d6 00d1 00dc 00a7
  00bf 0061 0062 0063 0064 0065 0066 0067 0068 0069 006a 006b 006c 006d 006e 006f
  0070 0071 0072 0073 0074 0075 0076 0077 0078 0079 007a 00e4 00f6 00f1 00fc 00e0`
  .trim()
  .split(/\s+/)

/** TS 23.038, 6.2.1.1. */
const EXTENSION_TABLE: readonly [number, number][] = [
  [0x0a, 0x000c],
  [0x14, 0x005e],
  [0x28, 0x007b],
  [0x29, 0x007d],
  [0x2f, 0x005c],
  [0x3c, 0x005b],
  [0x3d, 0x007e],
  [0x3e, 0x005d],
  [0x40, 0x007c],
  [0x65, 0x20ac],
]

const ALL: readonly [Buffer, string][] = [
  ...DEFAULT_ALPHABET.flatMap((point, code): [Buffer, string][] =>
    point === 'esc' ? [] : [[Buffer.from([code]), String.fromCodePoint(Number.parseInt(point, 16))]],
  ),
  ...EXTENSION_TABLE.map(([code, point]): [Buffer, string] => [
    Buffer.from([0x1b, code]),
    String.fromCodePoint(point),
  ]),
]

describe('the GSM 7-bit alphabet', () => {
  it('has every character of both tables, both ways', () => {
    expect(ALL).to.have.length(127 + 10)
    for (const [bytes, character] of ALL) {
      expect(isGsm7(character), character).to.equal(true)
      expect(encodeGsm7(character), character).to.deep.equal(bytes)
      expect(decodeGsm7(bytes), bytes.toString('hex')).to.equal(character)
    }
  })

  it('has no other character of the first plane, nor beyond it', () => {
    const characters = new Set(ALL.map(([, character]) => character))
    for (let point = 0; point <= 0xffff; point++) {
      const character = String.fromCodePoint(point)
      expect(isGsm7(character), point.toString(16)).to.equal(characters.has(character))
    }
    expect(isGsm7('😀')).to.equal(false)
    expect(() => encodeGsm7('naïve')).to.throw(RangeError, '"ï"')
  })

  const strange: readonly [string, readonly number[], string][] = [
    ['an escape before a code that has no extension', [0x41, 0x1b, 0x42], 'AB'],
    ['an escape at the end', [0x41, 0x1b], 'A '],
    ['two escapes', [0x1b, 0x1b, 0x41], ' A'],
    ['a byte that is no septet', [0x41, 0x80, 0xff], 'A\ufffd\ufffd'],
    ['nothing', [], ''],
  ]
  for (const [what, bytes, text] of strange) {
    it(`reads ${what}`, () => expect(decodeGsm7(Buffer.from(bytes))).to.equal(text))
  }
})

describe('segments', () => {
  const a = (count: number) => 'a'.repeat(count)
  const ж = (count: number) => 'ж'.repeat(count)

  const table: readonly [string, string, 'gsm7' | 'ucs2', readonly string[]][] = [
    ['nothing is one segment', '', 'gsm7', ['']],
    ['160 septets go alone', a(160), 'gsm7', [a(160)]],
    ['161 do not', a(161), 'gsm7', [a(153), a(8)]],
    ['two full parts', a(306), 'gsm7', [a(153), a(153)]],
    ['and one more', a(307), 'gsm7', [a(153), a(153), a(1)]],
    ['a euro counts two', `${a(158)}€`, 'gsm7', [`${a(158)}€`]],
    ['a euro that does not fit alone', `${a(159)}€`, 'gsm7', [a(153), `${a(6)}€`]],
    ['a euro at the end of a part', `${a(151)}€${a(10)}`, 'gsm7', [`${a(151)}€`, a(10)]],
    ['a euro across two parts', `${a(152)}€${a(10)}`, 'gsm7', [a(152), `€${a(10)}`]],
    ['80 euros go alone', '€'.repeat(80), 'gsm7', ['€'.repeat(80)]],
    ['81 do not', '€'.repeat(81), 'gsm7', ['€'.repeat(76), '€'.repeat(5)]],
    ['70 units go alone', ж(70), 'ucs2', [ж(70)]],
    ['71 do not', ж(71), 'ucs2', [ж(67), ж(4)]],
    ['two full parts of units', ж(134), 'ucs2', [ж(67), ж(67)]],
    ['one character makes it all units', `${a(159)}ï`, 'ucs2', [a(67), a(67), `${a(25)}ï`]],
    ['an emoji counts two', `${ж(68)}😀`, 'ucs2', [`${ж(68)}😀`]],
    ['an emoji that does not fit alone', `${ж(69)}😀`, 'ucs2', [ж(67), `${ж(2)}😀`]],
    ['an emoji at the end of a part', `${ж(65)}😀${ж(10)}`, 'ucs2', [`${ж(65)}😀`, ж(10)]],
    ['an emoji across two parts', `${ж(66)}😀${ж(10)}`, 'ucs2', [ж(66), `😀${ж(10)}`]],
    ['a letter and its accent may part', `${ж(66)}e\u0301${ж(10)}`, 'ucs2', [`${ж(66)}e`, `\u0301${ж(10)}`]],
  ]
  for (const [what, body, encoding, parts] of table) {
    it(what, () => {
      expect(encodingOf(body)).to.equal(encoding)
      expect(splitText(body, encoding)).to.deep.equal(parts)
      expect(segmentCount(body)).to.equal(parts.length)
      expect(parts.join('')).to.equal(body)
    })
  }

  it('may be of other sizes', () => {
    expect(splitText(a(20), 'gsm7', { whole: 10, part: 8 })).to.deep.equal([a(8), a(8), a(4)])
  })

  it('of the longest message there is', () => {
    expect(segmentCount(a(1600))).to.equal(11)
    expect(segmentCount('😀'.repeat(800))).to.equal(25)
  })
})
