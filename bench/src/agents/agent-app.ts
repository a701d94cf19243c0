/** An agent's app without media: it gets calls by the event stream, answers each, talks for a while and hangs up. */
import { type ClientRequest, request } from 'node:http'
import { WebSocket } from 'ws'
import type { ApiClient } from '../../../server/dist/test/support/api-client.js'
import { answerTo } from '../../../server/dist/test/support/silent-app.js'

/** One call at one app; moments are milliseconds since 1970. */
export interface Taken {
  callId: string
  rungAt: number
  /** The offer came on its socket. */
  offeredAt?: number
  /** The app sent its answer. */
  pickedUpAt?: number
  /** The server said that the app has the call. */
  answeredAt?: number
  /** Why the app's part was over. */
  end?: string
}

interface Ring {
  call_id: string
  call_token: string
  ws_url: string
}

export class AgentApp {
  readonly taken: Taken[] = []
  private readonly sockets = new Set<WebSocket>()

  private constructor(
    private readonly stream: ClientRequest,
    private readonly talkMs: number,
    /** On the loopback: where its media goes. */
    private readonly earPort: number,
  ) {}

  static async open(api: ApiClient, talkMs: number, earPort: number): Promise<AgentApp> {
    const headers = { host: `${api.host}:${api.port}`, authorization: api.authorization ?? '' }
    const sent = request({ host: '127.0.0.1', port: api.port, path: '/api/v1/stream', headers, agent: false })
    const app = new AgentApp(sent, talkMs, earPort)
    await new Promise<void>((resolve, reject) => {
      sent.once('error', reject)
      sent.once('response', (response) => {
        response.setEncoding('utf8')
        response.on('error', () => undefined)
        let text = ''
        response.on('data', (chunk: string) => {
          const blocks = (text + chunk).split('\n\n')
          text = blocks.pop() ?? ''
          for (const block of blocks) app.read(block)
        })
        if (response.statusCode === 200) resolve()
        else reject(new Error(`no stream: ${response.statusCode}`))
      })
      sent.end()
    })
    sent.on('error', () => undefined)
    return app
  }

  close(): void {
    this.stream.destroy()
    for (const socket of this.sockets) socket.terminate()
  }

  private read(block: string): void {
    if (!/^event: call\.ring$/m.test(block)) return
    const data = /^data: (.*)$/m.exec(block)?.[1]
    if (data) this.take(JSON.parse(data) as Ring)
  }

  private take({ call_id: callId, call_token, ws_url }: Ring): void {
    const taken: Taken = { callId, rungAt: Date.now() }
    this.taken.push(taken)
    const { host, port, pathname } = new URL(ws_url)
    const socket = new WebSocket(`ws://127.0.0.1:${port}${pathname}`, { headers: { host } })
    this.sockets.add(socket)
    const say = (event: string, data: object = {}) => socket.send(JSON.stringify({ event, data }))
    socket.on('open', () => say('session.connect', { token: call_token }))
    socket.on('error', (error) => (taken.end ??= error.message))
    socket.on('close', (code) => {
      this.sockets.delete(socket)
      taken.end ??= String(code)
    })
    socket.on('message', (frame: Buffer) => {
      const { event, data } = JSON.parse(frame.toString()) as { event: string; data: Record<string, string> }
      if (event === 'call.offer') {
        taken.offeredAt = Date.now()
        say('call.answer', { sdp: answerTo(data['sdp'] ?? '', this.earPort) })
        taken.pickedUpAt = Date.now()
      } else if (event === 'call.answered') {
        taken.answeredAt = Date.now()
        setTimeout(() => socket.readyState === WebSocket.OPEN && say('call.hangup'), this.talkMs)
      } else if (event === 'call.ended') taken.end = data['reason'] ?? '?'
      else if (event === 'error') taken.end ??= data['code'] ?? '?'
    })
  }
}
