/** Calls through an edge, with SIPp as the switch. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Kamailio } from '../support/kamailio.js'
import type { SipMessage } from '../support/sip-message.js'
import { Sipp } from '../support/sipp.js'

export interface PlacedCall {
  /** All that the switch sent and received. */
  messages: SipMessage[]
  /** Everything went as the scenario has it. */
  asExpected: boolean
  /** The last answer to INVITE. */
  status: number
  /** Milliseconds from the first INVITE to its last answer. */
  elapsedMs: number
  errors: string
}

export interface CallOptions {
  scenario?: 'switch' | 'switch-cancel'
  holdMs?: number
  calls?: number
  username?: string
  password?: string
  host?: string
}

/** Has the switch call `target` through the edge and waits for the end. */
export async function placeCall(
  edge: Kamailio,
  target: string,
  options: CallOptions = {},
): Promise<PlacedCall> {
  const { scenario = 'switch', holdMs = 300, calls = 1, username = 'user', password = 'password' } = options
  const sipp = await Sipp.start({
    scenario,
    calls,
    host: options.host ?? edge.options.switchHost,
    remote: `${edge.options.privateHost}:${edge.options.privatePort}`,
    keys: { target },
    values: { HOLD_MS: holdMs, USERNAME: username, PASSWORD: password },
  })
  try {
    const asExpected = await sipp.finished(20_000)
    const messages = await sipp.messages()
    const answers = messages.filter(({ method, status }) => method === 'INVITE' && status > 0)
    const last = answers.at(-1)
    return {
      ...{ messages, asExpected, status: last?.status ?? 0 },
      elapsedMs: last && messages[0] ? last.at - messages[0].at : Infinity,
      errors: await sipp.errors(),
    }
  } finally {
    await sipp.stop()
  }
}

/** Sends one datagram and waits for the first answer that is not a 100. */
export async function ask(
  text: string,
  to: { host: string; port: number },
  from: string,
  withinMs = 1000,
): Promise<string | undefined> {
  const socket = createSocket('udp4')
  socket.bind(0, from)
  await once(socket, 'listening')
  const { port } = socket.address()
  try {
    return await new Promise<string | undefined>((answer) => {
      const timer = setTimeout(() => answer(undefined), withinMs)
      socket.on('message', (message) => {
        if (message.toString().startsWith('SIP/2.0 100')) return
        clearTimeout(timer)
        answer(message.toString())
      })
      socket.send(text.replaceAll('@@PORT@@', String(port)), to.port, to.host)
    })
  } finally {
    socket.close()
  }
}

/** A request from someone. `@@PORT@@` becomes the port it is sent from. */
export function sipRequest(
  method: string,
  uri: string,
  from: string,
  {
    extra = [],
    toTag = '',
    callId = `${Math.random()}@test`,
  }: { extra?: string[]; toTag?: string; callId?: string } = {},
): string {
  return [
    `${method} ${uri} SIP/2.0`,
    `Via: SIP/2.0/UDP ${from}:@@PORT@@;branch=z9hG4bK${Math.random()};rport`,
    'Max-Forwards: 70',
    `From: <sip:someone@${from}>;tag=1`,
    `To: <${uri}>${toTag ? `;tag=${toTag}` : ''}`,
    `Call-ID: ${callId}`,
    `CSeq: 1 ${method}`,
    `Contact: <sip:someone@${from}:@@PORT@@>`,
    ...extra,
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n')
}

/** The headers of an INVITE that we make up ourselves, but for when it was sent. */
export function xHeadersOf(invite: string): string[] {
  const lines = invite.match(/^X-.*$/gim) ?? []
  return lines.map((line) => line.replace(/^(X-Edge-Sent: )\d{10}\.\d{6}-\d+$/, '$1now'))
}
