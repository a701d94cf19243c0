/** A web phone of SIP.js, which is loaded before; it runs in the browser. */
import type { WebPhone, WebPhoneKit } from './web-phone.js'

interface Cancel {
  request: { getHeader(name: string): string | undefined }
}

interface Handler {
  peerConnection: RTCPeerConnection | undefined
  sendDtmf(key: string): boolean
}

interface Session {
  state: string
  stateChange: { addListener(listener: (state: string) => void): void }
  delegate: { onSessionDescriptionHandler?(handler: Handler): void; onCancel?(cancel: Cancel): void }
  sessionDescriptionHandler: Handler | undefined
  sessionDescriptionHandlerOptionsReInvite: object
  invite(options?: object): Promise<unknown>
  accept(): Promise<void>
  reject(options: { statusCode: number }): Promise<void>
  cancel(): Promise<void>
  bye(): Promise<unknown>
  refer(target: object): Promise<unknown>
  info(options: object): Promise<unknown>
}

interface UserAgent {
  start(): Promise<void>
}

interface Registerer {
  register(options: object): Promise<unknown>
  unregister(options: object): Promise<unknown>
}

declare const kit: WebPhoneKit
declare const SIP: {
  UserAgent: {
    new (options: object): UserAgent
    makeURI(uri: string): object | undefined
  }
  Registerer: new (agent: UserAgent) => Registerer
  Inviter: new (agent: UserAgent, target: object | undefined) => Session
  Web: { defaultSessionDescriptionHandlerFactory(stream: () => Promise<MediaStream>): object }
}

let agent: UserAgent | undefined
let registerer: Registerer | undefined
let session: Session | undefined

function follow(begun: Session, incoming: boolean): void {
  session = begun
  kit.begin(incoming)
  let reason = ''
  begun.delegate = {
    onSessionDescriptionHandler: ({ peerConnection }) => peerConnection && kit.hear(peerConnection),
    onCancel: ({ request }) => (reason = request.getHeader('Reason') ?? ''),
  }
  begun.stateChange.addListener((state) => {
    if (state === 'Established') kit.happened('confirmed')
    if (state === 'Terminated') kit.ended(reason)
  })
}

const phone: WebPhone = {
  async register(url, uri, password, hz) {
    await kit.sing(hz)
    const made = new SIP.UserAgent({
      uri: SIP.UserAgent.makeURI(uri),
      authorizationUsername: uri.slice('sip:'.length).split('@')[0],
      authorizationPassword: password,
      transportOptions: { server: url },
      logLevel: 'error',
      sessionDescriptionHandlerFactory: SIP.Web.defaultSessionDescriptionHandlerFactory(async () =>
        Promise.resolve(kit.microphone.clone()),
      ),
      sessionDescriptionHandlerFactoryOptions: { peerConnectionConfiguration: { iceServers: [] } },
      delegate: { onInvite: (invitation: Session) => follow(invitation, true) },
    })
    agent = made
    await made.start()
    const own = new SIP.Registerer(made)
    registerer = own
    return new Promise((resolve) => {
      void own.register({
        requestDelegate: {
          onAccept: () => resolve('registered'),
          onReject: ({ message }: { message: { statusCode: number } }) => resolve(String(message.statusCode)),
        },
      })
    })
  },
  async unregister() {
    return new Promise((resolve) => {
      void registerer?.unregister({ requestDelegate: { onAccept: () => resolve() } })
    })
  },
  call(uri) {
    if (!agent) return
    const inviter = new SIP.Inviter(agent, SIP.UserAgent.makeURI(uri))
    follow(inviter, false)
    void inviter.invite()
  },
  answer: () => void session?.accept(),
  reject: () => void session?.reject({ statusCode: 486 }),
  hold(on) {
    if (!session) return false
    session.sessionDescriptionHandlerOptionsReInvite = { hold: on }
    void session.invite({ requestDelegate: { onAccept: () => kit.happened(on ? 'hold' : 'unhold') } })
    return true
  },
  press(key, how) {
    if (how === 'rtp') session?.sessionDescriptionHandler?.sendDtmf(key)
    // As its SessionManager writes it.
    const content = `Signal=${key}\r\nDuration=2000`
    const body = { contentDisposition: 'render', contentType: 'application/dtmf-relay', content }
    if (how === 'info') void session?.info({ requestOptions: { body } })
  },
  refer(uri) {
    const target = SIP.UserAgent.makeURI(uri)
    if (target) void session?.refer(target)
  },
  hangUp() {
    if (session?.state === 'Established') void session.bye()
    else void session?.cancel()
  },
  ...kit.seen,
}

Object.assign(globalThis, { phone })
