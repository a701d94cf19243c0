/** A storm on the TLS and WSS listeners of an edge: hostile clients beside phones that register again and again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Kamailio, KamailioOptions } from './kamailio.js'
import { SipPhone, type PhoneOptions } from './sip-phone.js'

export interface StormResult {
  /** Hostile connections made. */
  connections: number
  /** Registrations of the phones that were answered with 200. */
  registrations: number
  /** What went wrong for a phone. */
  failures: string[]
}

const hostileClients = 24
/** Of a phone, before it hangs up and connects anew. */
const registrationsAConnection = 5

/** Half a ClientHello, with the length of a whole one. */
const halfHello = Buffer.from('16030100c8010000c40303', 'hex')

/** Each sends what no peer should; most are gone before they are answered. */
const hostile: ((edge: KamailioOptions, port: number, localAddress: string) => Hangup)[] = [
  (edge, port, localAddress) => raw(edge, port, localAddress, Buffer.alloc(300, Math.random() * 255), 300),
  (edge, port, localAddress) => raw(edge, port, localAddress, halfHello, 30),
  (edge, port, localAddress) =>
    raw(edge, port, localAddress, Buffer.from('OPTIONS sip:x SIP/2.0\r\n\r\n'), 100),
  (edge, port, localAddress) => raw(edge, port, localAddress, Buffer.alloc(0), 5),
  (edge, port, localAddress) => ({
    socket: connectTls({
      socket: connect({ host: edge.sipHost, port, localAddress }),
      ...{ rejectUnauthorized: false, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' },
      ciphers: 'ALL:@SECLEVEL=0',
    }),
    afterMs: 300,
  }),
  // a whole handshake, then rubbish, then a reset
  (edge, port, localAddress) => {
    const socket = connectTls(
      { socket: connect({ host: edge.sipHost, port, localAddress }), rejectUnauthorized: false },
      () => socket.write(Buffer.alloc(200, 'x\r\n\r\n')),
    )
    return { socket, afterMs: 150 }
  },
]

interface Hangup {
  socket: ReturnType<typeof connect>
  afterMs: number
}

function raw(
  edge: KamailioOptions,
  port: number,
  localAddress: string,
  data: Buffer,
  afterMs: number,
): Hangup {
  const socket = connect({ host: edge.sipHost, port, localAddress }, () => socket.write(data))
  return { socket, afterMs }
}

/** Runs a storm. Half of the accounts' phones come over TLS, half over WSS. */
export async function tlsStorm(
  edge: Kamailio,
  accounts: readonly Omit<PhoneOptions, 'transport'>[],
  forMs: number,
): Promise<StormResult> {
  const until = Date.now() + forMs
  const result: StormResult = { connections: 0, registrations: 0, failures: [] }
  const goesOn = (): boolean => Date.now() < until && !edge.obituary
  const attack = async (index: number): Promise<void> => {
    const { tlsPort, wssPort } = edge.options
    for (let turn = index; goesOn(); turn++) {
      const kind = hostile[turn % hostile.length]
      if (kind) await hangUp(kind(edge.options, turn % 2 ? tlsPort : wssPort, `127.0.1.${1 + index}`))
      result.connections++
    }
  }
  const phone = async (account: Omit<PhoneOptions, 'transport'>, index: number): Promise<void> => {
    while (goesOn()) {
      const options = { ...account, transport: index % 2 ? 'tls' : 'wss' } as const
      try {
        const opened = await SipPhone.open(edge.options, options)
        for (let turn = 0; turn < registrationsAConnection && goesOn(); turn++) {
          const { status } = await opened.register()
          if (status === 200) result.registrations++
          else result.failures.push(`${options.transport}: ${status}`)
          await sleep(50)
        }
        await opened.register({ expires: 0 })
        opened.close()
      } catch (error) {
        result.failures.push(`${options.transport}: ${(error as Error).message}`)
      }
    }
  }
  await Promise.all([
    ...Array.from({ length: hostileClients }, async (_, index) => attack(index)),
    ...accounts.map(phone),
  ])
  if (edge.obituary) result.failures.push(edge.obituary)
  return result
}

async function hangUp({ socket, afterMs }: Hangup): Promise<void> {
  await new Promise<void>((done) => {
    const timer = setTimeout(() => socket.destroy(), afterMs)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      done()
    })
  })
}
