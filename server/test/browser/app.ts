/** A customer's app in a test's page: it listens to the event stream, and speaks on calls' WebSockets. */

/** Something that the app was told, on its stream or its socket. */
export interface Told {
  event: string
  data: Record<string, unknown>
}

/** `globalThis.app` of a page. */
export interface App {
  /** Logs an agent in; returns the access token. */
  logIn(url: string, credentials: object): Promise<string>
  /** Listens to events at an address. */
  listen(url: string, events: string[]): void
  /** Opens a call's WebSocket and says who it is. */
  enter(url: string, token: string, resume: boolean): void
  say(event: string, data: object): void
  /** Loses the socket without closing it properly. */
  hangUpSocket(): void
  /** All that it was told on its stream, or on the present socket. */
  told(by: 'stream' | 'socket'): Told[]
  /** Why the socket is closed; null while it is not. */
  closed(): { code: number; reason: string } | null
}

let stream: EventSource | undefined
let socket: WebSocket | undefined
let close: { code: number; reason: string } | null = null
const told: { stream: Told[]; socket: Told[] } = { stream: [], socket: [] }

const app: App = {
  async logIn(url, credentials) {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(credentials) })
    const { tokens } = (await answer.json()) as { tokens: { access_token: string } }
    return tokens.access_token
  },

  listen(url, events) {
    stream?.close()
    told.stream = []
    const made = new EventSource(url)
    stream = made
    const note = ({ type, data }: MessageEvent<string>) => {
      told.stream.push({ event: type, data: JSON.parse(data) as Told['data'] })
    }
    for (const event of events) made.addEventListener(event, note)
    made.addEventListener('open', () => told.stream.push({ event: 'open', data: {} }))
  },

  enter(url, token, resume) {
    const made = new WebSocket(url)
    socket = made
    close = null
    told.socket = []
    made.addEventListener('open', () => app.say('session.connect', { token, resume }))
    made.addEventListener('message', ({ data }: MessageEvent<string>) => {
      if (socket === made) told.socket.push(JSON.parse(data) as Told)
    })
    made.addEventListener('close', ({ code, reason }) => {
      if (socket === made) close = { code, reason }
    })
  },

  say(event, data) {
    socket?.send(JSON.stringify({ event, data }))
  },

  hangUpSocket() {
    socket?.close()
  },

  told(by) {
    return told[by]
  },

  closed() {
    return close
  },
}

Object.assign(globalThis, { app })
