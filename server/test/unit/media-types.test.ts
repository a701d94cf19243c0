/** Files of messages are known by their bytes; sound is made by ffmpeg, which is not ours. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { readMedia } from '../../src/features/messages/media/media-type.js'
import * as pictures from '../support/pictures.js'

const wanted: Record<string, { type: string; arguments: string[] }> = {
  'MP3 with a tag': { type: 'audio/mpeg', arguments: ['-f', 'mp3', '-metadata', 'title=Hello'] },
  'MP3 without tags': {
    type: 'audio/mpeg',
    arguments: ['-f', 'mp3', '-id3v2_version', '0', '-write_xing', '0'],
  },
  'MP3 of 8 kHz': { type: 'audio/mpeg', arguments: ['-f', 'mp3', '-ar', '8000'] },
  WAV: { type: 'audio/wav', arguments: ['-f', 'wav'] },
  'Ogg Vorbis': { type: 'audio/ogg', arguments: ['-f', 'ogg', '-c:a', 'libvorbis'] },
  'Ogg Opus': { type: 'audio/ogg', arguments: ['-f', 'ogg', '-c:a', 'libopus'] },
  AAC: { type: 'audio/aac', arguments: ['-f', 'adts'] },
  M4A: { type: 'audio/mp4', arguments: ['-f', 'ipod', '-movflags', 'frag_keyframe+empty_moov'] },
}

const refused: Record<string, Buffer> = {
  nothing: Buffer.alloc(0),
  text: Buffer.from('Hello'),
  HTML: Buffer.from('<!doctype html><script>alert(1)</script>'),
  SVG: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  PDF: Buffer.from('%PDF-1.7\n'),
  WebP: pictures.webp,
  'half of a picture': pictures.jpeg.subarray(0, 100),
  'the mark of MP3 alone': Buffer.from([0xff, 0xfb, 0x90, 0x00, ...Buffer.alloc(1_000)]),
  'a tag without sound': Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x05hello'), Buffer.from('<html>')]),
  noise: randomBytes(10_000).fill(0x00, 0, 4),
}

function encoded(options: readonly string[], source: readonly string[]): Buffer {
  const made = spawnSync('ffmpeg', ['-v', 'error', ...source, '-t', '1', ...options, 'pipe:1'])
  expect(made.status, made.stderr.toString()).to.equal(0)
  return made.stdout
}

const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440']

describe('files of messages', () => {
  for (const [name, { type, arguments: options }] of Object.entries(wanted)) {
    it(`may be ${name}`, () => {
      const bytes = encoded(options, tone)
      expect(readMedia(bytes)?.type).to.equal(type)
      expect(readMedia(bytes)?.content.length).to.equal(bytes.length)
    })
  }

  it('may be AMR', () => {
    expect(readMedia(Buffer.from('#!AMR\n\x3c'))?.type).to.equal('audio/amr')
    expect(readMedia(Buffer.from('#!AMR-WB\n\x3c'))?.type).to.equal('audio/amr-wb')
  })

  it('may be pictures, of which nothing is kept but the picture', () => {
    for (const [bytes, type] of [
      [pictures.png, 'image/png'],
      [pictures.jpeg, 'image/jpeg'],
      [pictures.progressiveJpeg, 'image/jpeg'],
      [pictures.animatedGif, 'image/gif'],
    ] as const) {
      const read = readMedia(Buffer.concat([bytes, Buffer.from('<script>alert(1)</script>')]))
      expect(read).to.deep.equal({ type, content: bytes })
    }
  })

  it('may be no video', () => {
    const pattern = ['-f', 'lavfi', '-i', 'testsrc=size=64x64:rate=5']
    const video = encoded(
      ['-f', 'mp4', '-c:v', 'mpeg4', '-movflags', 'frag_keyframe+empty_moov'],
      [...tone, ...pattern],
    )
    expect(readMedia(video)).to.equal(null)
  })

  for (const [name, bytes] of Object.entries(refused)) {
    it(`may not be ${name}`, () => expect(readMedia(bytes)).to.equal(null))
  }

  it('may not be enormous pictures', () => {
    const wide = Buffer.from(pictures.gif)
    wide.writeUInt16LE(10_001, 6)
    expect(readMedia(wide)).to.equal(null)
  })
})
