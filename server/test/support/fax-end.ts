/** A fax machine's side of T.38 in tests: a UDP port whose packets are compared with what was sent, and its description. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PhoneDialog, Via } from './phone-dialog.js'

const host = '127.0.0.1'
const packetMs = 20

/** Of the offer or answer of a fax machine, none of them a default. */
export const attributes = [
  'a=T38FaxVersion:0',
  'a=T38MaxBitRate:9600',
  'a=T38FaxFillBitRemoval',
  'a=T38FaxTranscodingMMR',
  'a=T38FaxTranscodingJBIG',
  'a=T38FaxRateManagement:localTCF',
  'a=T38FaxMaxBuffer:1024',
  'a=T38FaxMaxDatagram:320',
  'a=T38FaxUdpEC:t38UDPFEC',
]

export class FaxEnd {
  private readonly heard: string[] = []

  private constructor(private readonly socket: Socket) {
    socket.on('message', (data) => this.heard.push(data.toString('latin1')))
  }

  static async open(): Promise<FaxEnd> {
    const socket = createSocket('udp4')
    socket.bind(0, host)
    await once(socket, 'listening')
    return new FaxEnd(socket)
  }

  /** Turns a description of sound into one of fax. */
  readonly describes = (sdp: string): string => sdp.replace(/m=audio[^]*/, this.stream)

  /** Its lines in a description. */
  get stream(): string {
    return [`m=image ${this.socket.address().port} udptl t38`, ...attributes, ''].join('\r\n')
  }

  /** Sends packets to where the latest description of the other side in a call says. @returns them */
  async send(dialog: PhoneDialog, count = 10): Promise<string[]> {
    const to = faxAddress(dialog)
    const packets = Array.from(
      { length: count },
      (_, index) => `\0${String.fromCharCode(index)}${dialog.callId}`,
    )
    for (const packet of packets) {
      this.socket.send(Buffer.from(packet, 'latin1'), to.port, to.host)
      await sleep(packetMs)
    }
    return packets
  }

  /** Those of some packets that it has got. */
  got(packets: readonly string[]): string[] {
    return packets.filter((packet) => this.heard.includes(packet))
  }

  close(): void {
    this.socket.close()
  }
}

/** The latest message of a call that describes fax. */
export function faxDescription({ received }: PhoneDialog): string {
  return received.findLast((text) => /\r\nm=image [1-9]/.test(text)) ?? ''
}

function faxAddress(dialog: PhoneDialog): Via {
  const text = faxDescription(dialog)
  return {
    host: /\r\nc=IN IP4 (\S+)/.exec(text)?.[1] ?? '',
    port: Number(/\r\nm=image (\d+)/.exec(text)?.[1]),
  }
}
