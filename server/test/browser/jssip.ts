/** A web phone of JsSIP, which is loaded before; it runs in the browser. */
import type { WebPhone, WebPhoneKit } from './web-phone.js'

interface Details {
  session: Session
  originator: 'local' | 'remote'
  cause?: string
  message?: { getHeader?(name: string): string | undefined } | null
  peerconnection?: RTCPeerConnection
}

interface Emitter {
  on(event: string, listener: (details: Details) => void): void
}

interface Session extends Emitter {
  connection: RTCPeerConnection | undefined
  answer(options: object): void
  hold(): boolean
  unhold(): boolean
  refer(target: string): void
  sendDTMF(key: string, options: { transportType: 'INFO' | 'RFC2833' }): void
  terminate(options?: { status_code: number; reason_phrase: string }): void
}

interface UserAgent extends Emitter {
  start(): void
  unregister(): void
  call(uri: string, options: object): void
}

declare const kit: WebPhoneKit
declare const JsSIP: {
  UA: new (options: object) => UserAgent
  WebSocketInterface: new (url: string) => object
}

const media = { mediaStream: kit.microphone, pcConfig: { iceServers: [] } }
let agent: UserAgent | undefined
let session: Session | undefined

function follow({ session: begun, originator }: Details): void {
  session = begun
  kit.begin(originator === 'remote')
  begun.on('confirmed', () => kit.happened('confirmed'))
  begun.on('hold', () => kit.happened('hold'))
  begun.on('unhold', () => kit.happened('unhold'))
  begun.on('ended', () => kit.ended(''))
  begun.on('failed', ({ message }) => kit.ended(message?.getHeader?.('Reason') ?? ''))
  begun.on('peerconnection', ({ peerconnection }) => peerconnection && kit.hear(peerconnection))
  if (begun.connection) kit.hear(begun.connection)
}

const phone: WebPhone = {
  async register(url, uri, password, hz) {
    await kit.sing(hz)
    const made = new JsSIP.UA({ sockets: [new JsSIP.WebSocketInterface(url)], uri, password })
    agent = made
    made.on('newRTCSession', follow)
    return new Promise((resolve) => {
      made.on('registered', () => resolve('registered'))
      made.on('registrationFailed', ({ cause }) => resolve(cause ?? 'failed'))
      made.start()
    })
  },
  async unregister() {
    return new Promise((resolve) => {
      agent?.on('unregistered', () => resolve())
      agent?.unregister()
    })
  },
  call: (uri) => agent?.call(uri, media),
  answer: () => session?.answer(media),
  reject: () => session?.terminate({ status_code: 486, reason_phrase: 'Busy Here' }),
  hold: (on) => (on ? session?.hold() : session?.unhold()) ?? false,
  press: (key, how) => session?.sendDTMF(key, { transportType: how === 'rtp' ? 'RFC2833' : 'INFO' }),
  refer: (uri) => session?.refer(uri),
  hangUp: () => session?.terminate(),
  ...kit.seen,
}

Object.assign(globalThis, { phone })
