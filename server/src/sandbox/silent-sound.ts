/**
 * Raw audio of a leg to the server: L16 over RTP (RFC 3551, section 4.5.11), 20 ms of silence after another at the pace of
 * speech. What the server plays is not listened to.
 */
import { type Socket, createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { LegMedia } from './leg-far-end.js'
import { FRAME } from './timers.js'

const PAYLOAD_TYPE = 102
const HEADER = 12

/** The rate that `absolute_codec_string` names, for example of `L16@24000h@20i`; undefined of other codecs. */
export function rawRate(codecs: string | undefined): number | undefined {
  const [, rate] = /^L16@(\d{4,5})h@20i$/.exec(codecs ?? '') ?? []
  return rate === undefined ? undefined : Number(rate)
}

export class SilentSound implements LegMedia {
  readonly #socket: Socket = createSocket('udp4')
  #timer: NodeJS.Timeout | undefined
  #sequence = 0
  #closed = false

  /** @param isHeard whether the leg is joined with somebody: FreeSWITCH sends nothing else */
  constructor(
    private readonly rate: number,
    private readonly isHeard: () => boolean,
  ) {
    this.#socket.on('error', () => undefined)
  }

  async offer(): Promise<string> {
    this.#socket.bind(0, '127.0.0.1')
    await once(this.#socket, 'listening')
    return [
      'v=0',
      `o=FreeSWITCH ${Math.floor(Date.now() / 1000)} 1 IN IP4 127.0.0.1`,
      's=FreeSWITCH',
      'c=IN IP4 127.0.0.1',
      't=0 0',
      `m=audio ${this.#socket.address().port} RTP/AVP ${PAYLOAD_TYPE}`,
      `a=rtpmap:${PAYLOAD_TYPE} L16/${this.rate}`,
      'a=ptime:20',
      '',
    ].join('\r\n')
  }

  answered(sdp: string): void {
    const [, port] = /^m=audio (\d{1,5}) /m.exec(sdp) ?? []
    if (port !== undefined && !this.#closed) this.#timer = setInterval(() => this.#send(Number(port)), FRAME)
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    clearInterval(this.#timer)
    this.#socket.close()
  }

  #send(port: number): void {
    if (!this.isHeard()) return
    const samples = (this.rate * FRAME) / 1000
    const packet = Buffer.alloc(HEADER + 2 * samples)
    packet.writeUInt8(0x80, 0)
    packet.writeUInt8(PAYLOAD_TYPE, 1)
    packet.writeUInt16BE(this.#sequence & 0xffff, 2)
    packet.writeUInt32BE((this.#sequence * samples) >>> 0, 4)
    this.#sequence++
    this.#socket.send(packet, port, '127.0.0.1')
  }
}
