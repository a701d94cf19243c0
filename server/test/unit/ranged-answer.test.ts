import { expect } from 'chai'
import fc from 'fast-check'
import { replyTo } from '../../src/infrastructure/http/ranged-answer.js'

function reply(headers: Record<string, string>, { method = 'GET', size = 1_000 } = {}) {
  return replyTo({ method, header: (name) => headers[name] ?? '' }, { size, tag: 'rec_1' })
}

describe('ranges of files (RFC 9110)', () => {
  const ranges: [header: string, first: number, last: number][] = [
    ['bytes=0-0', 0, 0],
    ['bytes=0-499', 0, 499],
    ['bytes=500-', 500, 999],
    ['bytes=999-', 999, 999],
    ['bytes=-1', 999, 999],
    ['bytes=-300', 700, 999],
    ['bytes=-5000', 0, 999],
    ['bytes=990-2000', 990, 999],
    ['BYTES=1-2', 1, 2],
  ]
  for (const [range, first, last] of ranges) {
    it(`answers ${range} with ${first} to ${last}`, () => {
      const { status, headers, range: bytes } = reply({ range })
      expect(status).to.equal(206)
      expect(bytes).to.deep.equal({ first, last })
      expect(headers).to.include({
        'Content-Range': `bytes ${first}-${last}/1000`,
        'Content-Length': String(last - first + 1),
        'Accept-Ranges': 'bytes',
        ETag: '"rec_1"',
      })
    })
  }

  for (const range of ['bytes=1000-', 'bytes=1000-1001', 'bytes=-0']) {
    it(`answers ${range} with 416 and the length`, () => {
      const { status, headers } = reply({ range })
      expect(status).to.equal(416)
      expect(headers['Content-Range']).to.equal('bytes */1000')
    })
  }

  for (const range of [
    '',
    'bytes=',
    'bytes=-',
    'bytes=5-2',
    'bytes=a-b',
    'lines=1-2',
    'bytes=0-1,5-6',
    'bytes 0-1',
  ]) {
    it(`passes over “${range}”, and answers the whole`, () => {
      const { status, headers, range: bytes } = reply({ range })
      expect(status).to.equal(200)
      expect(bytes).to.equal(undefined)
      expect(headers['Content-Length']).to.equal('1000')
    })
  }

  it('takes a range only of the file that If-Range names', () => {
    expect(reply({ range: 'bytes=0-1', 'if-range': '"rec_1"' }).status).to.equal(206)
    for (const other of ['"rec_2"', 'W/"rec_1"', 'Sat, 21 Nov 2026 16:00:00 GMT']) {
      expect(reply({ range: 'bytes=0-1', 'if-range': other }).status, other).to.equal(200)
    }
  })

  it('answers 304 to who has it already', () => {
    for (const tag of ['"rec_1"', 'W/"rec_1"', '*', '"x", "rec_1"']) {
      expect(reply({ 'if-none-match': tag }).status, tag).to.equal(304)
    }
    expect(reply({ 'if-none-match': '"x"' }).status).to.equal(200)
  })

  it('takes no range of HEAD, and none of an empty file', () => {
    expect(reply({ range: 'bytes=0-1' }, { method: 'HEAD' }).status).to.equal(200)
    for (const range of ['bytes=0-', 'bytes=-5']) expect(reply({ range }, { size: 0 }).status).to.equal(416)
    expect(reply({}, { size: 0 }).headers['Content-Length']).to.equal('0')
  })

  it('never answers more than there is', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 100_000 }), (from, to, size) => {
        for (const range of [`bytes=${from}-${to}`, `bytes=${from}-`, `bytes=-${to}`]) {
          const { status, range: bytes, headers } = reply({ range }, { size })
          if (status !== 206 || !bytes) continue
          expect(bytes.first).to.be.at.least(0)
          expect(bytes.last).to.be.within(bytes.first, size - 1)
          expect(Number(headers['Content-Length'])).to.equal(bytes.last - bytes.first + 1)
        }
      }),
    )
  })
})
