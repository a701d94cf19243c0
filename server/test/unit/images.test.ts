/** Pictures are known by their content, whole or not at all. */
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { expect } from 'chai'
import { readImage } from '../../src/features/audio/images/image.js'
import * as pictures from '../support/pictures.js'

const types: Record<keyof typeof pictures, string> = {
  ...{ png: 'image/png', gif: 'image/gif', animatedGif: 'image/gif' },
  ...{ jpeg: 'image/jpeg', progressiveJpeg: 'image/jpeg' },
  ...{ webp: 'image/webp', losslessWebp: 'image/webp', animatedWebp: 'image/webp' },
}

describe('reading pictures', () => {
  for (const [name, type] of Object.entries(types)) {
    const bytes = pictures[name as keyof typeof pictures]

    it(`knows ${name}, and where it ends`, () => {
      const extent = { type, width: 3, height: 2, length: bytes.length }
      expect(readImage(bytes)).to.deep.equal(extent)
      expect(readImage(Buffer.concat([bytes, Buffer.from('<script>alert(1)</script>')]))).to.deep.equal(
        extent,
      )
    })

    it(`takes ${name} for nothing when it is cut off, wherever that is`, () => {
      for (let length = 0; length < bytes.length; length++) {
        expect(readImage(bytes.subarray(0, length)), `${length} of ${bytes.length} bytes`).to.equal(null)
      }
    })

    it(`ends, and does not fail, when ${name} is damaged`, () => {
      for (let round = 0; round < 2_000; round++) {
        const damaged = Buffer.from(bytes)
        for (const at of randomBytes(3)) damaged[at % damaged.length] = randomBytes(1)[0]!
        const found = readImage(damaged)
        if (found) expect(found.length).to.be.within(1, damaged.length)
      }
    })
  }

  it('notices one wrong bit of a PNG', () => {
    for (let at = 0; at < pictures.png.length; at++) {
      const damaged = Buffer.from(pictures.png)
      damaged[at]! ^= 1
      expect(readImage(damaged), `byte ${at}`).to.equal(null)
    }
  })

  it('takes nothing else for a picture', () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    const texts = ['', 'x', svg, '<html></html>', 'GIF89a', 'GIF89a;', 'BM', '%PDF-1.7', 'RIFF\0\0\0\0WEBP']
    for (const text of texts) expect(readImage(Buffer.from(text)), text).to.equal(null)
    for (const magic of ['\xff\xd8\xff\xd9', '\xff\xd8\xff\xe0', '\x89PNG\r\n\x1a\n']) {
      expect(readImage(Buffer.from(magic, 'latin1')), magic).to.equal(null)
    }
  })

  it('is soon done with a file that is made to take long', () => {
    const filler = (piece: Buffer) => Buffer.alloc(5_000_000).fill(piece)
    const chunk = Buffer.from([0, 0, 0, 0, ...Buffer.from('aAAA'), 0, 0, 0, 0])
    chunk.writeUInt32BE(crc32(chunk.subarray(4, 8)), 8)
    const { png, jpeg, gif, webp } = pictures
    const hostile = {
      chunks: [png.subarray(0, 33), filler(chunk), png.subarray(33)],
      segments: [jpeg.subarray(0, 2), filler(Buffer.from([0xff, 0xe1, 0, 2])), jpeg.subarray(2)],
      markers: [jpeg.subarray(0, 2), filler(Buffer.from([0xff])), jpeg.subarray(2)],
      scan: [jpeg.subarray(0, -2), filler(Buffer.from([0xff, 0])), jpeg.subarray(-2)],
      blocks: [gif.subarray(0, -2), filler(Buffer.from([1, 7])), gif.subarray(-2)],
      riff: [
        webp.subarray(0, 4),
        Buffer.from([0xff, 0xff, 0x4b, 0]),
        webp.subarray(8),
        filler(Buffer.alloc(8)),
      ],
    }
    for (const [what, parts] of Object.entries(hostile)) {
      const bytes = Buffer.concat(parts)
      const started = performance.now()
      readImage(bytes)
      expect(performance.now() - started, what).to.be.below(2_000)
    }
  })

  it('takes no picture without pixels', () => {
    const flat = Buffer.from(pictures.gif)
    flat.writeUInt16LE(0, 6)
    expect(readImage(flat)).to.equal(null)
    const empty = Buffer.concat([pictures.gif.subarray(0, 19), Buffer.from([0x3b])])
    expect(readImage(empty)).to.equal(null)
  })
})
