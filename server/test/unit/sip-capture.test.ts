/** Parts of the capture that no real call shows: what is hidden, what is no HEP, and how much is kept. */
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { pino } from 'pino'
import { CaptureStore } from '../../src/features/sip-capture/capture-store.js'
import { messageIn } from '../../src/features/sip-capture/hep.js'
import { Homer } from '../../src/features/sip-capture/homer.js'
import { pcapOf } from '../../src/features/sip-capture/pcap.js'
import { callIdOf, hideSecrets } from '../../src/features/sip-capture/secrets-in-sip.js'

const log = pino({ level: 'silent' })

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

  it('becomes a file of packets whatever its chunks hold', () => {
    const datagram = hepOf('INVITE sip:a SIP/2.0\r\n\r\n')
    const microseconds = chunk(10, Buffer.from('ffffffff', 'hex'))
    const late = Buffer.concat([datagram, microseconds])
    late.writeUInt16BE(late.length, 4)
    for (const start of [datagram, late]) {
      for (let at = 6; at < start.length; at++) {
        for (const value of [0x00, 0x7f, 0xff]) {
          const broken = Buffer.from(start)
          broken.fill(value, at, Math.min(at + 4, broken.length))
          const message = messageIn(broken)
          if (message) expect(pcapOf([message]).length).to.be.greaterThan(40)
        }
      }
    }
    expect(messageIn(late)).to.equal(null)
  })

  it('is passed on to a Homer whose name is looked up once', async () => {
    const receiver = createSocket('udp4').bind(0, '127.0.0.1')
    await once(receiver, 'listening')
    let asked = 0
    const find = async () => Promise.resolve({ address: '127.0.0.1', family: 4, asked: ++asked })
    const homer = new Homer({ host: 'homer.test', port: receiver.address().port }, log, find)
    homer.send(Buffer.from('before it is known'))
    homer.start()
    const heard = once(receiver, 'message')
    await new Promise(setImmediate)
    for (let index = 0; index < 100; index++) homer.send(Buffer.from('HEP3'))
    const [first] = (await heard) as [Buffer]
    expect(first.toString()).to.equal('HEP3')
    expect(asked).to.equal(1)
    homer.stop()
    homer.send(Buffer.from('after'))
    receiver.close()
  })

  it('shows neither proofs of passwords nor keys that were pressed, and keeps its length', () => {
    const text = `INFO sip:a SIP/2.0\r\ni: abc@x\r\nAuthorization: Digest username="u", response="0123456789abcdef0123456789abcdef", qop=auth\r\n\r\nSignal=7\r\nDuration=160\r\n`
    const message = Buffer.from(text)
    hideSecrets(message)
    expect(message.toString()).to.equal(
      text.replace('0123456789abcdef0123456789abcdef', '*'.repeat(32)).replace('Signal=7', 'Signal=*'),
    )
    const hidden = (one: string) => {
      const bytes = Buffer.from(one)
      hideSecrets(bytes)
      return bytes.toString()
    }
    const proof = 'f'.repeat(32)
    const folded = `REGISTER sip:a SIP/2.0\r\nAuthorization: Digest username="u",\r\n response = "${proof}"\r\n\r\n`
    expect(hidden(folded)).to.equal(folded.replace(proof, '*'.repeat(32)))
    const plain = 'INFO sip:a SIP/2.0\r\nc: application/dtmf\r\nl: 1\r\n\r\n5'
    expect(hidden(plain)).to.equal(plain.replace(/5$/, '*'))
    const sdp =
      'INVITE sip:a SIP/2.0\r\n\r\nv=0\r\na=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNf/+=|2^20\r\n'
    expect(hidden(sdp)).to.equal(sdp.replace('WVNf/+=|2^20', '*'.repeat(12)))
    expect(callIdOf(message)).to.equal('abc@x')
    expect(callIdOf(Buffer.from('no SIP'))).to.equal(null)
  })

  it('loses the Call-IDs of calls that are deleted, and nothing else', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'jackfield-capture-'))
    const settings = { directory, maxBytes: 20_000_000, retainedMs: 3_600_000 }
    const store = new CaptureStore(settings, log)
    await store.start()
    const find = async (id: string) => store.find(new Set([id]), 0, Date.now() + 1_000, 10)
    for (let file = 0; file < 2; file++) {
      for (const id of ['kept', 'gone', 'kept']) store.add(id, Buffer.from(`${id} ${file}`))
      await store.remove(new Set(['nothing']))
    }
    expect((await readdir(directory)).length).to.equal(2)
    await writeFile(join(directory, '1.hep.part'), 'left of a crash')
    store.add('gone', Buffer.from('not written yet'))
    await store.remove(new Set(['gone', 'unknown']))
    store.add('later', Buffer.from('later'))
    expect((await find('later')).map(String)).to.deep.equal(['later'])
    expect(await find('gone')).to.deep.equal([])
    expect((await find('kept')).map(String)).to.deep.equal(['kept 0', 'kept 0', 'kept 1', 'kept 1'])
    const files = await readdir(directory)
    for (const name of files.filter((one) => one.endsWith('.hep')))
      expect((await readFile(join(directory, name))).includes('gone'), name).to.equal(false)
    await store.stop()
    const again = new CaptureStore(settings, log)
    await again.start()
    expect((await readdir(directory)).filter((name) => name.endsWith('.part'))).to.deep.equal([])
    await again.stop()
    await rm(directory, { recursive: true })
  })

  it('takes no more of the disk than it may, and drops what is oldest', async function () {
    this.timeout(20_000)
    const directory = await mkdtemp(join(tmpdir(), 'jackfield-capture-'))
    const settings = { directory, maxBytes: 20_000_000, retainedMs: 3_600_000 }
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
