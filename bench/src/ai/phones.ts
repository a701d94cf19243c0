/**
 * The callers' ends, as a process of their own: whatever number is called answers at once, sends silence (PCMU) at the
 * pace of a telephone, and notes when each packet comes.
 */
import { type Socket, createSocket } from 'node:dgram'
import { once } from 'node:events'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { header, headers, mediaAddress } from '../../../server/dist/test/support/sip-message.js'
import { decodeMulaw, encodeMulaw, tone } from '../../../server/dist/test/support/tone.js'
import { answerWith, now } from './part.js'

/** What one caller has heard. */
export interface Line {
  /** How much later than on the best grid of 20 ms each packet came. */
  lateness: number[]
  /** Packets, those of which the time passed without one, and those of silence between the first sound and the last. */
  packets: number
  absent: number
  silent: number
  /** When a mark was sent, and when it came back; null: never. */
  marks: { sentAt: number; backAt: number | null }[]
}

export interface Heard {
  lines: Line[]
  /** How late this process itself was, p99, in milliseconds. */
  ownLatenessMs: number
}

const frameMs = 20
const silence = Buffer.alloc(160, 0xff)
const mark = Buffer.from(Uint8Array.from(tone(1000, 160, 8000, 16_000), encodeMulaw))
/** Frames of a mark, and the least pause between two. */
const markFrames = 2
const pauseMs = 600
/** A mark that has not come back by then never will. */
const backMs = 500
const loud = Uint8Array.from({ length: 256 }, (_, byte) => (Math.abs(decodeMulaw(byte)) > 2_500 ? 1 : 0))

class Phone {
  private readonly arrivals: number[] = []
  private readonly stamps: number[] = []
  private readonly sounds: boolean[] = []
  private marks: { sentAt: number; backAt: number | null }[] = []
  private isNoting = false
  private isMarking = false
  private sent = 0
  private loudFrames = 0
  private nextMarkAt = Infinity
  private readonly began: number

  constructor(
    private readonly socket: Socket,
    private readonly to: { host: string; port: number },
    phase: number,
  ) {
    this.began = now() + phase
    socket.on('message', (packet) => this.take(packet))
    socket.on('error', () => undefined)
  }

  /** Sends what is due. */
  sendDue(at: number): void {
    while (this.began + this.sent * frameMs <= at) {
      if (this.isMarking && at >= this.nextMarkAt && this.loudFrames === 0) {
        this.marks.push({ sentAt: at, backAt: null })
        this.loudFrames = markFrames
        this.nextMarkAt = at + pauseMs + Math.random() * 400
      }
      const payload = this.loudFrames > 0 ? mark : silence
      if (this.loudFrames > 0) this.loudFrames -= 1
      const packet = Buffer.allocUnsafe(172)
      packet.writeUInt16BE(0x8000, 0)
      packet.writeUInt16BE(this.sent & 0xffff, 2)
      packet.writeUInt32BE((this.sent * 160) >>> 0, 4)
      packet.writeUInt32BE(this.to.port, 8)
      payload.copy(packet, 12)
      this.sent += 1
      this.socket.send(packet, this.to.port, this.to.host)
    }
  }

  note(marks: boolean): void {
    for (const list of [this.arrivals, this.stamps, this.sounds]) list.length = 0
    this.marks = []
    this.isNoting = true
    this.isMarking = marks
    this.nextMarkAt = now() + Math.random() * pauseMs
  }

  line(): Line {
    this.isNoting = false
    const { arrivals, stamps, sounds, marks } = this
    // Offsets from a grid of the RTP timestamps; the earliest one is the best estimate.
    const offsets = arrivals.map((at, index) => at - ((stamps[index] ?? 0) - (stamps[0] ?? 0)) / 8)
    const best = offsets.reduce((least, offset) => Math.min(least, offset), Infinity)
    const slots = Math.round(((stamps.at(-1) ?? 0) - (stamps[0] ?? 0)) / 160) + 1
    const [first, last] = [sounds.indexOf(true), sounds.lastIndexOf(true)]
    return {
      lateness: offsets.map((offset) => Math.round((offset - best) * 10) / 10),
      packets: arrivals.length,
      absent: Math.max(0, slots - new Set(stamps).size),
      silent: sounds.slice(Math.max(0, first), last + 1).filter((isLoud) => !isLoud).length,
      marks,
    }
  }

  stopMarking(): void {
    this.isMarking = false
  }

  close(): void {
    this.socket.close()
  }

  private take(packet: Buffer): void {
    if (!this.isNoting || packet.length < 13 || (packet[1] ?? 0) % 128 !== 0) return
    const at = now()
    let isLoud = false
    for (let index = 12; index < packet.length && !isLoud; index++) isLoud = loud[packet[index] ?? 0] === 1
    this.arrivals.push(at)
    const stamp = packet.readUInt32BE(4)
    const last = this.stamps.at(-1)
    // The difference as a signed number: timestamps wrap at 2^32.
    this.stamps.push(last === undefined ? stamp : last + ((stamp - last) | 0))
    this.sounds.push(isLoud)
    const sent = this.marks.at(-1)
    if (isLoud && sent?.backAt === null && at - sent.sentAt < backMs) sent.backAt = at
  }
}

const phones = new Map<string, Phone>()
const answers = new Map<string, string>()
const sip = createSocket('udp4')
const delay = monitorEventLoopDelay({ resolution: 1 })
let timer: NodeJS.Timeout | undefined

function reply(text: string, status: string, sdp = ''): string {
  const to = header({ text }, 'To') ?? ''
  return [
    `SIP/2.0 ${status}`,
    ...headers({ text }, 'Via').map((value) => `Via: ${value}`),
    ...headers({ text }, 'Record-Route').map((value) => `Record-Route: ${value}`),
    `From: ${header({ text }, 'From')}`,
    `To: ${to.includes(';tag=') ? to : `${to};tag=phone`}`,
    `Call-ID: ${header({ text }, 'Call-ID')}`,
    `CSeq: ${header({ text }, 'CSeq')}`,
    `Contact: <sip:phone@127.0.0.1:${sip.address().port}>`,
    ...(sdp ? ['Content-Type: application/sdp'] : []),
    `Content-Length: ${Buffer.byteLength(sdp)}`,
    '',
    sdp,
  ].join('\r\n')
}

async function accept(id: string, text: string): Promise<string> {
  const media = mediaAddress({ text })
  if (!media) return reply(text, '488 Not Acceptable Here')
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  phones.set(id, new Phone(socket, media, (phones.size * 7.3) % frameMs))
  return reply(
    text,
    '200 OK',
    [
      ...['v=0', 'o=phone 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0'],
      ...[`m=audio ${socket.address().port} RTP/AVP 0`, 'a=rtpmap:0 PCMU/8000', 'a=ptime:20', ''],
    ].join('\r\n'),
  )
}

async function receive(text: string, from: { address: string; port: number }): Promise<void> {
  const [method] = text.split(' ', 1)
  const id = header({ text }, 'Call-ID') ?? ''
  if (method === 'INVITE') {
    if (!answers.has(id)) {
      answers.set(id, '')
      answers.set(id, await accept(id, text))
    }
    const answer = answers.get(id)
    if (answer) sip.send(answer, from.port, from.address)
    return
  }
  if (method === 'BYE' || method === 'CANCEL' || method === 'OPTIONS') {
    if (method === 'BYE') {
      phones.get(id)?.close()
      phones.delete(id)
    }
    sip.send(reply(text, '200 OK'), from.port, from.address)
  }
}

export const phonesWork = {
  /** Begins. @returns the port of SIP */
  open: async (): Promise<number> => {
    sip.on('message', (data, from) => void receive(data.toString(), from))
    sip.bind(0, '127.0.0.1')
    await once(sip, 'listening')
    timer ??= setInterval(() => {
      const at = now()
      for (const phone of phones.values()) phone.sendDue(at)
    }, 1)
    delay.enable()
    return sip.address().port
  },
  /** How many calls are up. */
  calls: (): number => phones.size,
  /** Listens for so many seconds. */
  listen: async ({ seconds, marks }: { seconds: number; marks: boolean }): Promise<Heard> => {
    delay.reset()
    for (const phone of phones.values()) phone.note(marks)
    await sleep(seconds * 1_000)
    for (const phone of phones.values()) phone.stopMarking()
    if (marks) await sleep(backMs)
    const lines = [...phones.values()].map((phone) => phone.line())
    return { lines, ownLatenessMs: delay.percentile(99) / 1e6 }
  },
}

answerWith(phonesWork)
