/** Ways by which a phone sends and receives SIP messages: UDP, TCP, TLS, and WebSocket without and with TLS. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, isIPv6, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import WebSocket from 'ws'
import type { KamailioOptions } from './kamailio.js'

export const transports = ['udp', 'tcp', 'tls', 'ws', 'wss'] as const
export type Transport = (typeof transports)[number]

/** One way to the edge. */
export interface SipLink {
  /** Where it sends from, as it stands in a URI. */
  readonly host: string
  readonly port: number
  send(text: string): void
  onMessage(listener: (text: string) => void): void
  /** Ends it without a word, as a phone that loses power. */
  close(): void
}

/** Opens a way to the edge's listener of a transport. */
export async function openLink(
  options: KamailioOptions,
  transport: Transport,
  host = '127.0.0.1',
): Promise<SipLink> {
  const edge = { ...options, sipHost: options.listenHost ?? options.sipHost }
  switch (transport) {
    case 'udp':
      return udpLink(edge, host)
    case 'tcp':
      return streamLink(connect({ host: edge.sipHost, port: edge.sipPort, localAddress: host }), 'connect')
    case 'tls':
      return streamLink(
        connectTls({
          socket: connect({ host: edge.sipHost, port: edge.tlsPort, localAddress: host }),
          rejectUnauthorized: false,
        }),
        'secureConnect',
      )
    case 'ws':
      return webSocketLink(`ws://${edge.sipHost}:${edge.wsPort}`, host)
    case 'wss':
      return webSocketLink(`wss://${edge.sipHost}:${edge.wssPort}`, host)
  }
}

/** The switch's way to the edge's private side. */
export async function openSwitchLink(edge: KamailioOptions): Promise<SipLink> {
  const side = { sipHost: edge.privateHost, sipPort: edge.privatePort }
  return udpLink(side, edge.switchHost, edge.switchPort, sentBy)
}

/** Of an answer: one of several edges (RFC 3261, section 18.2.2). */
const sentBy = /^SIP\/2\.0 \d{3} .*\r\nVia: SIP\/2\.0\/UDP \[?([^;\]]+)\]?:(\d+)/

async function udpLink(
  edge: Pick<KamailioOptions, 'sipHost' | 'sipPort'>,
  host: string,
  port = 0,
  /** Finds the address and port that a message goes to, where that is not the edge. */
  receiver?: RegExp,
): Promise<SipLink> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  socket.bind(port, host)
  await once(socket, 'listening')
  return {
    host: isIPv6(host) ? `[${host}]` : host,
    port: socket.address().port,
    send(text) {
      const [, to = edge.sipHost, toPort = edge.sipPort] = receiver?.exec(text) ?? []
      socket.send(text, Number(toPort), to)
    },
    onMessage: (listener) => socket.on('message', (message) => listener(message.toString())),
    close: () => socket.close(),
  }
}

async function streamLink(socket: Socket, opened: string): Promise<SipLink> {
  await once(socket, opened)
  socket.on('error', () => undefined)
  return {
    host: socket.localAddress ?? '',
    port: socket.localPort ?? 0,
    send: (text) => socket.write(text),
    onMessage(listener) {
      let rest = ''
      socket.on('data', (chunk: Buffer) => {
        const { messages, left } = takeMessages(rest + chunk.toString('latin1'))
        rest = left
        messages.forEach(listener)
      })
    },
    close: () => socket.destroy(),
  }
}

/** Whole messages at the beginning of a stream, by their Content-Length. */
function takeMessages(stream: string): { messages: string[]; left: string } {
  const messages: string[] = []
  let left = stream.replace(/^[\r\n]+/, '')
  for (;;) {
    const end = left.indexOf('\r\n\r\n')
    if (end < 0) return { messages, left }
    const body = Number(/^content-length: *(\d+)/im.exec(left.slice(0, end))?.[1] ?? 0)
    if (left.length < end + 4 + body) return { messages, left }
    messages.push(left.slice(0, end + 4 + body))
    left = left.slice(end + 4 + body).replace(/^[\r\n]+/, '')
  }
}

async function webSocketLink(url: string, host: string): Promise<SipLink> {
  const socket = new WebSocket(url, 'sip', { localAddress: host, rejectUnauthorized: false })
  const upgraded = once(socket, 'upgrade') as Promise<[{ socket: Socket }]>
  await once(socket, 'open')
  const [{ socket: below }] = await upgraded
  socket.on('error', () => undefined)
  return {
    host: below.localAddress ?? '',
    port: below.localPort ?? 0,
    send: (text) => socket.send(text),
    onMessage: (listener) => socket.on('message', (data) => listener((data as Buffer).toString())),
    close: () => socket.terminate(),
  }
}
