/**
 * Raw audio of a leg over RTP (RFC 3550): L16 (RFC 3551, section 4.5.11) between the switch and a UDP port of this
 * machine's loopback.
 *
 * What is played is paced by what comes: a frame out for each frame in, so that both run by the switch's clock. The
 * switch keeps frames that come too early, and plays all later ones later for as long as the leg lives (measured at
 * 16,000 and 24,000 Hz): so none is sent to make up for time that has passed, and after a stall of this process the
 * frames that come at once are answered by one.
 */
import { type RemoteInfo, type Socket, createSocket } from 'node:dgram'
import { EventEmitter, once } from 'node:events'
import { randomInt } from 'node:crypto'
import { AudioQueue } from './audio-queue.js'
import type { AudioOffer } from './audio-sdp.js'
import { type RawAudio, type RawAudioEvents, type SampleRate, frameMs } from './raw-audio.js'

/** Sound that waits to be played, at most: models speak faster than they are heard. */
const maxQueuedSeconds = 300

/** Frames that come closer together than this have waited somewhere. */
const burstMs = 8

/** Without a frame for so long the far end says nothing: a timer paces what is played. */
const quietMs = 30

const headerBytes = 12

export class RtpAudio extends EventEmitter<RawAudioEvents> implements RawAudio {
  written = 0
  played = 0
  private readonly queue: AudioQueue
  private remote: AudioOffer | undefined
  private sequence = randomInt(0x1_0000)
  private timestamp = randomInt(0x1_0000_0000)
  private readonly source = randomInt(0x1_0000_0000)
  private cameAt = 0
  private sentAt = 0
  private timer: NodeJS.Timeout | undefined
  private isClosed = false

  private constructor(
    private readonly socket: Socket,
    readonly sampleRate: SampleRate,
  ) {
    super()
    this.queue = new AudioQueue(maxQueuedSeconds * sampleRate)
    socket.on('message', (packet, from) => this.receive(packet, from))
    // ICMP of a port that the switch has just closed.
    socket.on('error', () => undefined)
  }

  /** Takes a free port. @throws when there is none */
  static async open(sampleRate: SampleRate): Promise<RtpAudio> {
    const socket = createSocket('udp4')
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return new RtpAudio(socket, sampleRate)
  }

  get port(): number {
    return this.socket.address().port
  }

  get queuedMs(): number {
    return (this.queue.length * 1000) / this.sampleRate
  }

  /** Begins to play to the switch, and to hear what comes from there. */
  connect(remote: AudioOffer): void {
    if (this.isClosed) return
    this.remote = remote
    this.timer ??= setInterval(() => this.tick(), frameMs)
  }

  write(samples: Int16Array): number {
    if (this.isClosed) return samples.length
    const dropped = this.queue.add(samples)
    this.written += samples.length - dropped
    return dropped
  }

  clear(): void {
    this.played += this.queue.clear()
  }

  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    clearInterval(this.timer)
    this.queue.clear()
    this.socket.close()
    this.emit('ended')
    this.removeAllListeners()
  }

  private receive(packet: Buffer, { address, port }: RemoteInfo): void {
    const { remote } = this
    if (!remote || address !== remote.host || port !== remote.port) return
    const samples = samplesOf(packet, remote.payloadType)
    if (!samples) return
    const now = performance.now()
    this.cameAt = now
    this.emit('frame', samples)
    if (now - this.sentAt >= burstMs) this.send(remote, now)
  }

  private tick(): void {
    const now = performance.now()
    if (!this.remote || now - this.cameAt < quietMs || now - this.sentAt < frameMs - burstMs) return
    this.send(this.remote, now)
  }

  private send(remote: AudioOffer, now: number): void {
    if (this.isClosed) return
    this.sentAt = now
    const frame = new Int16Array((this.sampleRate * frameMs) / 1000)
    const taken = this.queue.take(frame)
    this.played += taken
    const packet = Buffer.allocUnsafe(headerBytes + frame.byteLength)
    packet[0] = 0x80
    packet[1] = remote.payloadType
    packet.writeUInt16BE(this.sequence, 2)
    packet.writeUInt32BE(this.timestamp, 4)
    packet.writeUInt32BE(this.source, 8)
    Buffer.from(frame.buffer).swap16().copy(packet, headerBytes)
    this.sequence = (this.sequence + 1) & 0xffff
    this.timestamp = (this.timestamp + frame.length) >>> 0
    this.socket.send(packet, remote.port, remote.host)
    if (taken > 0 && this.queue.length === 0) this.emit('drained')
  }
}

/** @returns null for what is no sound of that type */
function samplesOf(packet: Buffer, payloadType: number): Int16Array | null {
  const [first = 0, second = 0] = packet
  const contributors = 4 * (first & 0x0f)
  const hasMore = (first & 0x30) !== 0
  if (first >> 6 !== 2 || hasMore || (second & 0x7f) !== payloadType) return null
  const length = packet.length - headerBytes - contributors
  if (length <= 0 || length % 2 !== 0) return null
  const bytes = Buffer.allocUnsafeSlow(length)
  packet.copy(bytes, 0, headerBytes + contributors)
  bytes.swap16()
  return new Int16Array(bytes.buffer, 0, length / 2)
}
