/**
 * The audio end of a carrier in tests: one UDP socket that many calls may share. It keeps what each caller sends
 * (PCMU), and sends each caller a tone, or key presses, at the pace of a real phone.
 */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { decodeMulaw, mulawOf, pcmOf, tone } from './tone.js'

const FRAME_MS = 20
const FRAME_SAMPLES = 160
const SAMPLES_PER_MS = 8
const SAMPLES_A_SECOND = 8000
const AMPLITUDE = 8000
/** A second of it, encoded. */
const silence = mulawOf(new Int16Array(SAMPLES_A_SECOND))
/** What is kept of one caller: three minutes. */
const MOST_FRAMES = 9000
/** A caller that was silent for so long is no longer sent anything. */
const FORGOTTEN_AFTER_MS = 5000
const PCMU = 0
const TELEPHONE_EVENT = 101
const KEYS = '0123456789*#'

/** What one caller sent. */
export interface Heard {
  /** `host:port` of the caller's audio. */
  source: string
  packets: number
  /** Keys the caller pressed (RFC 4733). */
  keys: string
  /** All its audio in order of arrival, 8 kHz. */
  pcm: Int16Array
}

interface Caller {
  host: string
  port: number
  started: number
  lastActive: number
  sent: number
  packets: number
  frames: Buffer[]
  keys: string
  lastKeyTimestamp: number
  /** Keys that are pressed for it from a frame on. */
  pressing: { keys: string; from: number } | undefined
  isLeft: boolean
  /** Of its own frames, the next one that comes back to it. */
  echoed: number
}

export interface RtpEarOptions {
  host?: string
  /** Tone that each caller hears [1000]. */
  toneHz?: number
  /** Presses these keys instead, after `keysAfterMs` [1000]. */
  keys?: string
  keysAfterMs?: number
  /** Milliseconds of sound in each packet that it sends [20]. */
  packetMs?: number
}

export class RtpEar {
  private readonly callers = new Map<string, Caller>()
  private timer: NodeJS.Timeout | undefined
  private isHushed = false
  /** What is said next, at 8 kHz. */
  private said: Int16Array = new Int16Array(0)
  /** In place of PCMU. */
  private codec: { type: number; sound: Buffer } | undefined
  private echo: { gain: number; delayFrames: number } | null = null
  private encodedTone: Buffer | undefined

  private constructor(
    private socket: Socket,
    private readonly options: Required<RtpEarOptions>,
  ) {
    this.use(socket)
  }

  static async open(options: RtpEarOptions = {}): Promise<RtpEar> {
    const socket = createSocket('udp4')
    const settings = {
      host: '127.0.0.1',
      toneHz: 1000,
      keys: '',
      keysAfterMs: 1000,
      packetMs: FRAME_MS,
      ...options,
    }
    socket.bind({ address: settings.host, port: 0 })
    await once(socket, 'listening')
    return new RtpEar(socket, settings)
  }

  get host(): string {
    return this.options.host
  }

  get port(): number {
    return this.socket.address().port
  }

  /** Sends and hears at another port, perhaps of another address, and no more at the old one: a NAT forgot its mapping. */
  async move(host = this.options.host): Promise<void> {
    const old = this.socket
    const socket = createSocket('udp4')
    socket.bind({ address: host, port: 0 })
    await once(socket, 'listening')
    this.use(socket)
    old.close()
  }

  /** Starts to send to a caller before it has sent anything, as a carrier does that knows its SDP. */
  playTo(host: string, port: number): void {
    const caller = this.caller(host, port)
    caller.lastActive = Date.now()
    caller.isLeft = false
  }

  /** Sends a caller no more: its port may be another call's the next moment, which would hear us. */
  leave(host: string, port: number): void {
    this.caller(host, port).isLeft = true
  }

  /** Presses keys for a caller (RFC 4733): 100 ms each, and 100 ms between. The tone goes on in between. */
  press(host: string, port: number, keys: string): void {
    const caller = this.caller(host, port)
    caller.lastActive = Date.now()
    caller.pressing = { keys, from: caller.sent + 1 }
  }

  /** Sends silence from now on, in place of the tone. */
  hush(): void {
    this.isHushed = true
  }

  /** Sends the tone again. */
  speak(): void {
    this.isHushed = false
  }

  /** Says something once. With several callers each hears a part. @param pcm at 8 kHz */
  say(pcm: Int16Array): void {
    this.said = pcm
  }

  /**
   * Speaks and hears another codec than PCMU from now on, which also has 8 octets a millisecond.
   * @param sound a second of it, encoded, over and over
   */
  useCodec(type: number, sound: Buffer): void {
    this.codec = { type, sound }
  }

  /** All that a caller sent, encoded. */
  encoded(host: string, port: number): Buffer {
    return Buffer.concat(this.callers.get(`${host}:${port}`)?.frames ?? [])
  }

  /** Whether all of that is said. */
  get hasSaid(): boolean {
    return this.said.length === 0
  }

  /** From now on each caller hears itself. @param gain 0.1 is -20 dB */
  echoes(gain: number, delayMs: number): void {
    this.echo = { gain, delayFrames: delayMs / FRAME_MS }
  }

  /** What was heard so far, caller by caller. */
  heard(): Heard[] {
    return [...this.callers].map(([source, { packets, keys, frames }]) => ({
      source,
      packets,
      keys,
      pcm: pcmOf(Buffer.concat(frames)),
    }))
  }

  /** Sends packets of another length from now on. */
  packetLasts(ms: number): void {
    this.options.packetMs = ms
    for (const caller of this.callers.values()) {
      caller.started = Date.now()
      caller.sent = 0
    }
  }

  /** The last samples that a caller sent, 8 kHz. */
  latest(host: string, port: number, samples: number): Int16Array {
    const frames = this.callers.get(`${host}:${port}`)?.frames ?? []
    // 10 ms at least are in each
    const last = Buffer.concat(frames.slice(-Math.ceil(samples / 80)))
    return pcmOf(last.subarray(-samples))
  }

  /** Packets that a caller sent. */
  packetsOf(host: string, port: number): number {
    return this.callers.get(`${host}:${port}`)?.packets ?? 0
  }

  /** Forgets all callers and what they sent. */
  clear(): void {
    this.callers.clear()
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    const closed = once(this.socket, 'close')
    this.socket.close()
    await closed
  }

  private use(socket: Socket): void {
    this.socket = socket
    socket.on('message', (packet, from) => this.take(packet, from))
    // a caller that has gone: nothing to do for a test's ear
    socket.on('error', () => undefined)
  }

  private caller(host: string, port: number): Caller {
    const known = this.callers.get(`${host}:${port}`)
    if (known) return known
    const now = Date.now()
    const caller: Caller = {
      ...{ host, port, started: now, lastActive: now, sent: 0 },
      ...{ packets: 0, frames: [], keys: '', lastKeyTimestamp: -1, pressing: undefined },
      ...{ isLeft: false, echoed: 0 },
    }
    this.callers.set(`${host}:${port}`, caller)
    this.timer ??= setInterval(() => this.sendDue(), FRAME_MS / 2)
    return caller
  }

  private take(packet: Buffer, from: RemoteInfo): void {
    if (packet.length < 12 || packet.readUInt8(0) >> 6 !== 2) return
    const caller = this.caller(from.address, from.port)
    caller.lastActive = Date.now()
    caller.packets++
    const type = packet.readUInt8(1) & 127
    const payload = packet.subarray(12 + 4 * (packet.readUInt8(0) & 15))
    if (type === (this.codec?.type ?? PCMU) && caller.frames.length < MOST_FRAMES)
      caller.frames.push(Buffer.from(payload))
    if (type === TELEPHONE_EVENT && payload.length >= 4) {
      const timestamp = packet.readUInt32BE(4)
      if (timestamp !== caller.lastKeyTimestamp) caller.keys += KEYS[payload.readUInt8(0)] ?? ''
      caller.lastKeyTimestamp = timestamp
    }
  }

  private sendDue(): void {
    const now = Date.now()
    for (const caller of this.callers.values()) {
      if (caller.isLeft || now - caller.lastActive > FORGOTTEN_AFTER_MS) continue
      const due = Math.floor((now - caller.started) / this.options.packetMs)
      // a test that stood still does not make up for more than a little
      if (due - caller.sent > 10) caller.sent = due - 10
      for (; caller.sent < due; caller.sent++) this.sendFrame(caller)
    }
  }

  private sendFrame(caller: Caller): void {
    const header = Buffer.alloc(12)
    const { type, payload, timestamp } = this.frame(caller)
    header.writeUInt8(0x80, 0)
    header.writeUInt8(type, 1)
    header.writeUInt16BE(caller.sent & 0xffff, 2)
    header.writeUInt32BE(timestamp >>> 0, 4)
    header.writeUInt32BE(caller.port, 8)
    this.socket.send(Buffer.concat([header, payload]), caller.port, caller.host)
  }

  /** The next frame for a caller: the tone, or its part of a key press (100 ms each, 100 ms between). */
  private frame(caller: Caller): { type: number; payload: Buffer; timestamp: number } {
    const { sent: index, pressing } = caller
    const { keysAfterMs, toneHz, packetMs } = this.options
    const perPacket = packetMs * SAMPLES_PER_MS
    const keys = pressing?.keys ?? this.options.keys
    const place = index - (pressing?.from ?? Math.ceil(keysAfterMs / packetMs))
    const timestamp = index * perPacket
    const key = place >= 0 ? keys[Math.floor(place / 10)] : undefined
    if (key !== undefined && place % 10 < 5) {
      const step = place % 10
      const payload = Buffer.alloc(4)
      payload.writeUInt8(KEYS.indexOf(key), 0)
      payload.writeUInt8((step === 4 ? 0x80 : 0) | 10, 1)
      payload.writeUInt16BE((step + 1) * FRAME_SAMPLES, 2)
      return { type: TELEPHONE_EVENT, payload, timestamp: timestamp - step * FRAME_SAMPLES }
    }
    if (this.codec) {
      const from = timestamp % this.codec.sound.length
      return { type: this.codec.type, payload: this.codec.sound.subarray(from, from + perPacket), timestamp }
    }
    const isSilent = this.isHushed || this.options.keys !== ''
    if (this.said.length === 0 && !this.echo) {
      const from = timestamp % SAMPLES_A_SECOND
      const payload = (isSilent ? silence : this.second).subarray(from, from + perPacket)
      if (payload.length === perPacket) return { type: PCMU, payload, timestamp }
    }
    const samples = tone(toneHz, perPacket, SAMPLES_A_SECOND, isSilent ? 0 : AMPLITUDE, timestamp)
    const words = this.said.subarray(0, perPacket)
    this.said = this.said.subarray(perPacket)
    const echo = this.echoFor(caller)
    const all = samples.map((sample, at) => clipped(sample + (words[at] ?? 0) + (echo[at] ?? 0)))
    return { type: PCMU, payload: mulawOf(all), timestamp }
  }

  /** A second of its tone; the next one is like it, as its frequency is a whole number. */
  private get second(): Buffer {
    return (this.encodedTone ??= mulawOf(
      tone(this.options.toneHz, SAMPLES_A_SECOND, SAMPLES_A_SECOND, AMPLITUDE),
    ))
  }

  private echoFor(caller: Caller): number[] {
    if (!this.echo) return []
    const { gain, delayFrames } = this.echo
    // What it sent in the meantime, where packets come in bursts.
    if (caller.frames.length - caller.echoed > delayFrames + 5)
      caller.echoed = caller.frames.length - delayFrames
    if (caller.frames.length - caller.echoed < delayFrames) return []
    const frame = caller.frames[caller.echoed++] ?? Buffer.alloc(0)
    return Array.from(frame, (byte) => Math.round(decodeMulaw(byte) * gain))
  }
}

function clipped(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, sample))
}
