/** Parts of the capture that no real call shows: what is hidden, what is no HEP, and how much is kept. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { pino } from 'pino'
import { CaptureStore } from '../../src/sip-capture/capture-store.js'
import { messageIn } from '../../src/sip-capture/hep.js'
import { callIdOf, hideSecrets } from '../../src/sip-capture/secrets-in-sip.js'

const chunk = (kind: number, value: Buffer) => {
  const head = Buffer.alloc(6)
  head.writeUInt16BE(kind, 2)
  head.writeUInt16BE(6 + value.length, 4)
  return Buffer.concat([head, value])
}

function hepOf(text: string, protocol = 1): Buffer {
  const seconds = Buffer.alloc(4)
  seconds.writeUInt32BE(1_790_000_000)
  const chunks = Buffer.concat([
    ...[
      chunk(3, Buffer.from([192, 0, 2, 1])),
      chunk(4, Buffer.from([192, 0, 2, 2])),
      chunk(7, Buffer.from([0x13, 0xc4])),
    ],
    ...[
      chunk(8, Buffer.from([0x13, 0xc5])),
      chunk(9, seconds),
      chunk(11, Buffer.from([protocol])),
      chunk(15, Buffer.from(text)),
    ],
  ])
  const head = Buffer.from('HEP3\0\0', 'latin1')
  head.writeUInt16BE(6 + chunks.length, 4)
  return Buffer.concat([head, chunks])
}

describe('captured SIP on its way', () => {
  it('is read from HEP 3, and from nothing else', () => {
    const datagram = hepOf('INVITE sip:a SIP/2.0\r\n\r\n')
    const message = messageIn(datagram)
    expect(message?.source).to.deep.equal({ address: Buffer.from([192, 0, 2, 1]), port: 5060 })
    expect(message?.at).to.equal(1_790_000_000_000_000n)
    expect(messageIn(hepOf('x', 5))).to.equal(null)
    for (let end = 0; end < datagram.length; end++)
      expect(messageIn(datagram.subarray(0, end))).to.equal(null)
    for (let at = 0; at < datagram.length; at++) {
      const broken = Buffer.from(datagram)
      broken[at] = (broken[at] ?? 0) ^ 0xff
      expect(() => messageIn(broken)).not.to.throw()
    }
  })

  it('shows neither proofs of passwords nor keys that were pressed, and keeps its length', () => {
    const text = `INFO sip:a SIP/2.0\r\ni: abc@x\r\nAuthorization: Digest username="u", response="0123456789abcdef0123456789abcdef", qop=auth\r\n\r\nSignal=7\r\nDuration=160\r\n`
    const message = Buffer.from(text)
    hideSecrets(message)
    expect(message.toString()).to.equal(
      text.replace('0123456789abcdef0123456789abcdef', '*'.repeat(32)).replace('Signal=7', 'Signal=*'),
    )
    expect(callIdOf(message)).to.equal('abc@x')
    expect(callIdOf(Buffer.from('no SIP'))).to.equal(null)
  })

  it('takes no more of the disk than it may, and drops what is oldest', async function () {
    this.timeout(20_000)
    const directory = await mkdtemp(join(tmpdir(), 'jackfield-capture-'))
    const settings = { directory, maxBytes: 20_000_000, keptMs: 3_600_000 }
    const store = new CaptureStore(settings, pino({ level: 'silent' }))
    await store.start()
    const find = async (id: string) => store.find(new Set([id]), 0, Date.now() + 1_000, 10)
    store.add('first', Buffer.from('one'))
    expect((await find('first')).map(String)).to.deep.equal(['one'])
    for (let round = 0; round < 5; round++) {
      for (let count = 0; count < 80; count++) store.add('many', Buffer.alloc(100_000))
      await find('none')
    }
    expect(await find('first')).to.deep.equal([])
    expect((await readdir(directory)).length).to.be.within(1, 3)
    expect((await find('many')).length).to.equal(10)
    for (let count = 0; count < 100; count++) store.add('many', Buffer.alloc(100_000))
    expect(store.dropped).to.be.greaterThan(0)
    await store.stop()
    await rm(directory, { recursive: true })
  })
})
