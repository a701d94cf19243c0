/**
 * Raw audio of a leg over RTP between the switch and a UDP port of this machine's loopback.
 *
 * What is played is paced by what comes: a frame out for each frame in, so that both run by the switch's clock. At 16,000
 * and 24,000 Hz the switch fills a gap with silence, and keeps frames that come too early, so that all later ones are
 * heard later (measured). That evens out the moments at which this process is late, and is bounded: a few frames at most
 * make up for time that has passed, those of a longer stall are not sent at all. And in each pause of what is played a
 * packet with the marker bit has the switch throw away what it has kept, so that the delay is the least one again.
 */
import { type RemoteInfo, type Socket, createSocket } from 'node:dgram'
import { EventEmitter, once } from 'node:events'
import { randomInt } from 'node:crypto'
import { AudioQueue } from './audio-queue.js'
import { type AudioOffer, loopbackFor } from './audio-sdp.js'
import { type RawAudio, type RawAudioEvents, frameMs } from './raw-audio.js'
import { type SampleRate } from '../../lib/sound/sample-rate.js'
import { rtpPacket, samplesOf } from './rtp-packet.js'

/** Longest queue by default, in seconds of audio: models speak faster than in real time. */
const maxQueuedSeconds = 300

/** How many frames make up for time in which none was sent. */
const maxLateFrames = 3

/** How much too early, in frames, one may be sent: what comes from the switch is not quite even. */
const earliness = 0.6

/** Frames of silence before the switch's buffer is flushed: it holds only silence by then. */
const pauseFrames = 25

/**
 * How long silence is held back, in milliseconds, once a frame is due and nothing is queued: what comes meanwhile begins at
 * once instead of a frame later.
 */
const holdMs = 10

/** Without a frame for this time the far end is silent: a timer paces the playback then. */
const quietMs = 30

export class RtpAudio extends EventEmitter<RawAudioEvents> implements RawAudio {
  written = 0
  played = 0
  private readonly queue: AudioQueue
  private remote: AudioOffer | undefined
  private readonly firstSequence = randomInt(0x1_0000)
  private readonly firstTimestamp = randomInt(0x1_0000_0000)
  private sent = 0
  private readonly source = randomInt(0x1_0000_0000)
  private cameAt = 0
  private sentAt = 0
  /** Frames that may be sent, and fractions of them, at `sentAt`. */
  private credit = maxLateFrames
  private silentFrames = 0
  /** When the first frame was sent, and how many frames of time the stream has since. */
  private beganAt: number | undefined
  private frames = 0
  private readonly frameSamples: number
  private timer: NodeJS.Timeout | undefined
  /** Until it ends, a frame is due that would be silence. */
  private holding: NodeJS.Timeout | undefined
  private isClosed = false

  private constructor(
    private readonly socket: Socket,
    readonly sampleRate: SampleRate,
    queuedSeconds: number,
  ) {
    super()
    this.frameSamples = (sampleRate * frameMs) / 1000
    this.queue = new AudioQueue(queuedSeconds * sampleRate)
    socket.on('message', (packet, from) => this.receive(packet, from))
    // ICMP of a port that the switch has just closed.
    socket.on('error', () => undefined)
  }

  /**
   * Takes a free port for the far end of an offer.
   * @param queuedSeconds how much sound may wait to be played
   * @throws when there is no port
   */
  static async open(offer: AudioOffer, queuedSeconds = maxQueuedSeconds): Promise<RtpAudio> {
    const address = loopbackFor(offer)
    const socket = createSocket(address === '::1' ? 'udp6' : 'udp4')
    try {
      socket.bind(0, address)
      await once(socket, 'listening')
    } catch (error) {
      socket.close()
      throw error
    }
    return new RtpAudio(socket, offer.sampleRate, queuedSeconds)
  }

  get port(): number {
    return this.socket.address().port
  }

  get queuedMs(): number {
    return (this.queue.length * 1000) / this.sampleRate
  }

  /** Starts to send audio to the switch, and to receive its. */
  connect(remote: AudioOffer): void {
    if (this.isClosed) return
    this.remote = remote
    this.timer ??= setInterval(() => this.tick(), frameMs)
  }

  write(samples: Int16Array): number {
    if (this.isClosed) return samples.length
    const dropped = this.queue.add(samples)
    this.written += samples.length - dropped
    if (this.holding && this.remote && this.queue.length >= this.frameSamples) this.send(this.remote)
    return dropped
  }

  clear(): void {
    this.played += this.queue.clear()
  }

  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    clearInterval(this.timer)
    clearTimeout(this.holding)
    this.queue.clear()
    this.socket.close()
    this.emit('ended')
    this.removeAllListeners()
  }

  private receive(packet: Buffer, { address, port }: RemoteInfo): void {
    const { remote } = this
    if (!remote || address !== remote.host || port !== remote.port) return
    const samples = samplesOf(packet, remote.payloadType, this.frameSamples)
    if (!samples) return
    this.cameAt = performance.now()
    this.emit('frame', samples)
    if (this.holding || this.queue.length > 0) this.send(remote)
    else this.holding = setTimeout(() => this.send(remote), holdMs)
  }

  private tick(): void {
    if (this.remote && performance.now() - this.cameAt >= quietMs) this.send(this.remote)
  }

  /** Sends a frame, if one is due. */
  private send(remote: AudioOffer): void {
    if (this.isClosed) return
    clearTimeout(this.holding)
    this.holding = undefined
    const now = performance.now()
    const credit = Math.min(this.credit + (now - this.sentAt) / frameMs, maxLateFrames)
    if (credit < 1 - earliness) return
    this.credit = credit - 1
    this.sentAt = now
    const samples = new Int16Array(this.frameSamples)
    const taken = this.queue.take(samples)
    this.played += taken
    this.silentFrames = taken > 0 ? 0 : this.silentFrames + 1
    // The timestamp advances while nothing is sent (RFC 3550, section 5.1).
    this.beganAt ??= now
    this.frames = Math.max(this.frames + 1, Math.floor((now - this.beganAt) / frameMs) - maxLateFrames)
    const { payloadType, host, port } = remote
    const packet = rtpPacket(
      {
        payloadType,
        sequence: (this.firstSequence + this.sent++) & 0xffff,
        timestamp: (this.firstTimestamp + this.frames * this.frameSamples) >>> 0,
        source: this.source,
        isMarked: this.silentFrames === pauseFrames,
      },
      samples,
    )
    this.socket.send(packet, port, host)
    this.emit('sent', samples)
    if (taken > 0 && this.queue.length === 0) this.emit('drained')
  }
}
