/** What pictures tell beside themselves is taken out, and the picture stays byte for byte. */
import { crc32 } from 'node:zlib'
import { expect } from 'chai'
import { readImage } from '../../src/features/audio/images/image.js'
import { withoutMetadata } from '../../src/features/audio/images/metadata.js'
import { gif, jpeg, losslessWebp, png, webp } from '../support/pictures.js'

const secret = 'GPS 52.52 N 13.40 E'

describe('metadata of pictures', () => {
  it('of a JPEG goes: EXIF, XMP, other applications and comments', () => {
    const segments = [0xe1, 0xe1, 0xe3, 0xed, 0xfe].map((marker) => segment(marker, Buffer.from(secret)))
    const icc = segment(0xe2, Buffer.from('ICC_PROFILE\0\x01\x01profile', 'latin1'))
    const told = behind(jpeg, 2, ...segments, icc)
    expect(readImage(told)?.length).to.equal(told.length)
    expect(withoutMetadata(told, 'image/jpeg').equals(behind(jpeg, 2, icc))).to.equal(true)
  })

  for (const order of ['II', 'MM'] as const) {
    it(`of a JPEG leaves how it is turned, and nothing else of EXIF (${order})`, () => {
      const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff(order, 6), Buffer.from(secret)])
      const cleaned = withoutMetadata(behind(jpeg, 2, segment(0xe1, exif)), 'image/jpeg')
      expect(cleaned.includes(secret)).to.equal(false)
      expect(readImage(cleaned)).to.include({ type: 'image/jpeg', width: 3, height: 2 })
      const kept = Buffer.concat([Buffer.from('Exif\0\0'), tiff('MM', 6)])
      expect(cleaned.equals(behind(jpeg, 2, segment(0xe1, kept)))).to.equal(true)
    })
  }

  it('of a JPEG may be broken', () => {
    for (const broken of [
      '',
      'Exif\0\0',
      'Exif\0\0MM\0*\xff\xff\xff\xff',
      'Exif\0\0II*\0\x08\0\0\0\xff\xff',
    ]) {
      const told = behind(jpeg, 2, segment(0xe1, Buffer.from(broken, 'latin1')))
      expect(withoutMetadata(told, 'image/jpeg').equals(jpeg), JSON.stringify(broken)).to.equal(true)
    }
  })

  it('of a PNG goes', () => {
    const chunks = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME', 'prVt'].map((type) => chunk(type, secret))
    const told = behind(png, 33, ...chunks)
    expect(readImage(told)?.length).to.equal(told.length)
    expect(withoutMetadata(told, 'image/png').equals(png)).to.equal(true)
  })

  it('of a WebP goes, and its header says so', () => {
    for (const picture of [webp, losslessWebp]) {
      const head = Buffer.from('VP8X\x0a\0\0\0\x0c\0\0\0\x02\0\0\x01\0\0', 'latin1')
      const told = Buffer.concat([
        picture.subarray(0, 12),
        head,
        picture.subarray(12),
        riff('EXIF'),
        riff('XMP '),
      ])
      told.writeUInt32LE(told.length - 8, 4)
      const cleaned = withoutMetadata(told, 'image/webp')
      expect(cleaned.includes(secret)).to.equal(false)
      expect(cleaned.readUInt8(20)).to.equal(0)
      expect(readImage(cleaned)).to.deep.equal({
        ...{ type: 'image/webp', width: 3, height: 2 },
        length: cleaned.length,
      })
    }
  })

  it('of a GIF goes: comments and what other applications wrote', () => {
    const comment = Buffer.concat([
      Buffer.from([0x21, 0xfe, secret.length]),
      Buffer.from(secret),
      Buffer.from([0]),
    ])
    const xmp = Buffer.concat([
      Buffer.from('!\xff\x0bXMP DataXMP', 'latin1'),
      Buffer.from([secret.length]),
      Buffer.from(secret),
      Buffer.from([0]),
    ])
    const at = gif.length - 1
    const told = behind(gif, at, comment, xmp)
    expect(readImage(told)?.length).to.equal(told.length)
    expect(withoutMetadata(told, 'image/gif').equals(gif)).to.equal(true)
  })
})

function behind(bytes: Buffer, at: number, ...parts: Buffer[]): Buffer {
  return Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at)])
}

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** A directory with nothing but the orientation. */
function tiff(order: 'II' | 'MM', orientation: number): Buffer {
  const numbers = [0x0112, 3, 0, 1, orientation, 0]
  const shorts =
    order === 'MM' ? [42, 0, 8, 1, ...numbers, 0, 0] : [42, 8, 0, 1, 0x0112, 3, 1, 0, orientation, 0, 0, 0]
  const bytes = Buffer.alloc(26)
  bytes.write(order, 'latin1')
  for (const [index, short] of shorts.entries()) {
    if (order === 'MM') bytes.writeUInt16BE(short, 2 + 2 * index)
    else bytes.writeUInt16LE(short, 2 + 2 * index)
  }
  return bytes
}

function chunk(type: string, text: string): Buffer {
  const data = Buffer.from(type + text)
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(text.length)
  sum.writeUInt32BE(crc32(data))
  return Buffer.concat([length, data, sum])
}

function riff(type: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(secret.length)
  return Buffer.concat([Buffer.from(type), length, Buffer.from(secret), Buffer.alloc(secret.length % 2)])
}
