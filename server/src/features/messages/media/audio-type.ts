/** Detects the audio type of a file by its first bytes, and not by its name or label. Decodes nothing. */

export type AudioType =
  'audio/mpeg' | 'audio/wav' | 'audio/ogg' | 'audio/amr' | 'audio/amr-wb' | 'audio/aac' | 'audio/mp4'

const readers: readonly [AudioType, (bytes: Buffer) => boolean][] = [
  ['audio/wav', isWav],
  ['audio/ogg', isOgg],
  ['audio/amr', (bytes) => begins(bytes, '#!AMR\n')],
  ['audio/amr-wb', (bytes) => begins(bytes, '#!AMR-WB\n')],
  ['audio/mp4', isMp4],
  ['audio/aac', (bytes) => hasFrames(bytes, 0, adtsLength)],
  ['audio/mpeg', (bytes) => hasFrames(bytes, behindId3(bytes), mp3Length)],
]

/** The type of the audio that the bytes begin with, or null when they hold none. */
export function audioTypeOf(bytes: Buffer): AudioType | null {
  return readers.find(([, reads]) => reads(bytes))?.[0] ?? null
}

function begins(bytes: Buffer, text: string, at = 0): boolean {
  return bytes.toString('latin1', at, at + text.length) === text
}

function isWav(bytes: Buffer): boolean {
  return begins(bytes, 'RIFF') && begins(bytes, 'WAVE', 8) && bytes.includes('fmt ', 12, 'latin1')
}

/** The first packet of the first page (RFC 3533, section 6) names the codec. */
function isOgg(bytes: Buffer): boolean {
  const codecs = ['OpusHead', '\x01vorbis', 'Speex   ', '\x7fFLAC']
  return begins(bytes, 'OggS\0') && codecs.some((codec) => begins(bytes, codec, 28))
}

/** ISO/IEC 14496-12, with a track of sound and none of pictures: `hdlr` boxes name what their track is. */
function isMp4(bytes: Buffer): boolean {
  if (!begins(bytes, 'ftyp', 4)) return false
  const handlers: string[] = []
  for (let at = bytes.indexOf('hdlr', 8, 'latin1'); at >= 0; at = bytes.indexOf('hdlr', at + 4, 'latin1')) {
    handlers.push(bytes.toString('latin1', at + 12, at + 16))
  }
  return handlers.includes('soun') && !handlers.includes('vide')
}

/** Whether a frame begins at `at`, and another one, or the end of the data, follows it. */
function hasFrames(bytes: Buffer, at: number, lengthOf: (bytes: Buffer, at: number) => number): boolean {
  const length = lengthOf(bytes, at)
  if (length === 0) return false
  const next = at + length
  return next === bytes.length || lengthOf(bytes, next) > 0
}

/** Bytes of the ADTS frame (ISO/IEC 13818-7, 6.2) at a position; 0 if there is none. */
function adtsLength(bytes: Buffer, at: number): number {
  if (bytes.length < at + 7) return 0
  if (bytes.readUInt8(at) !== 0xff || (bytes.readUInt8(at + 1) & 0xf6) !== 0xf0) return 0
  return (bytes.readUIntBE(at + 3, 3) >>> 5) & 0x1fff
}

/** kbit/s of layer III by MPEG version 1, and by versions 2 and 2.5. */
const bitRates = [
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const
const sampleRates = [44_100, 48_000, 32_000] as const

/** Samples of the three are halved by version 2, and again by 2.5. */
const divisors: Readonly<Record<number, number>> = { 3: 1, 2: 2, 0: 4 }

/** Bytes of the frame of MPEG audio, layer III (ISO/IEC 11172-3, 2.4.1.3), at a position; 0 if there is none. */
function mp3Length(bytes: Buffer, at: number): number {
  if (bytes.length < at + 4) return 0
  const header = bytes.readUInt32BE(at)
  const isLayerThree = header >>> 21 === 0x7ff && ((header >>> 17) & 3) === 1
  const divisor = divisors[(header >>> 19) & 3]
  if (!isLayerThree || divisor === undefined) return 0
  const bitRate = bitRates[divisor === 1 ? 0 : 1][((header >>> 12) & 15) - 1]
  const sampleRate = sampleRates[(header >>> 10) & 3]
  if (bitRate === undefined || sampleRate === undefined) return 0
  const bytesOfSecond = ((divisor === 1 ? 144 : 72) * bitRate * 1_000) / (sampleRate / divisor)
  return Math.floor(bytesOfSecond) + ((header >>> 9) & 1)
}

/** Where an ID3v2 tag ends: its length is written in seven bits of each of four bytes. */
function behindId3(bytes: Buffer): number {
  if (!begins(bytes, 'ID3') || bytes.length < 10) return 0
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(6, 10)
  return 10 + ((a << 21) | (b << 14) | (c << 7) | d)
}
