/** The WebSocket of a call, spoken to by an app that errs and by one that means harm. What an app asks is written down. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect } from 'chai'
import fc from 'fast-check'
import { pino } from 'pino'
import WebSocket from 'ws'
import type { CallTokenClaims } from '../../src/features/calls/model/call-token.js'
import {
  type AppControls,
  type AppLink,
  AppRefused,
  type ClientLegRegistry,
} from '../../src/features/calls/clients/client-leg-registry.js'
import { loopback } from '../../src/lib/networks.js'
import { Credentials } from '../../src/features/auth/credentials.js'
import { CallSockets } from '../../src/features/calls/clients/call-sockets.js'
import { CallTokens } from '../../src/infrastructure/tokens/call-tokens.js'
import { Tokens } from '../../src/infrastructure/tokens/tokens.js'
import { Keyring } from '../../src/infrastructure/database/keyring.js'
import { eventually } from '../support/api-client.js'

const claims = {
  ...{ sub: 'ag_1', kind: 'agent' as const, workspace_id: 'acme', call_id: 'call_1' },
  fs_uuid: '00000000-0000-4000-8000-000000000001',
}

/** The calls' side: writes down what it is asked. */
class Notes implements ClientLegRegistry {
  readonly asked: unknown[] = []
  links: AppLink[] = []
  /** Thrown in place of what is asked. */
  refusal: Error | undefined
  slowMs = 0

  async connect(of: CallTokenClaims, link: AppLink): Promise<AppControls> {
    this.links.push(link)
    const note = async (...what: unknown[]): Promise<void> => {
      if (this.slowMs > 0) await new Promise((done) => setTimeout(done, this.slowMs))
      if (this.refusal) throw this.refusal
      this.asked.push(what)
    }
    await note('connect', of.sub, link.resume)
    return {
      answer: async (sdp) => note('answer', sdp),
      candidate: async ({ candidate }) => note('candidate', candidate),
      hangUp: async () => note('hangUp'),
      reject: async (reason) => note('reject', reason),
      dtmf: async (digits) => note('dtmf', digits),
      mute: async (on) => note('mute', on),
      hold: async () => note('hold'),
      unhold: async () => note('unhold'),
      transfer: async (target, reason) => note('transfer', target, reason),
      camera: async (on) => note('camera', on),
      gone: () => this.asked.push(['gone']),
    }
  }
}

/** An app's socket, and what it was told. */
class App {
  readonly told: { event: string; data: any }[] = []
  closed: { code: number; reason: string } | undefined

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data) => this.told.push(JSON.parse((data as Buffer).toString()) as never))
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() }
    })
    socket.on('error', () => undefined)
  }

  say(event: string, data?: unknown): void {
    this.socket.send(JSON.stringify({ event, ...(data !== undefined && { data }) }))
  }

  get errors(): string[] {
    return this.told.filter(({ event }) => event === 'error').map(({ data }) => data.code as string)
  }

  async closes(): Promise<number> {
    const closed = await eventually(
      async () => this.closed,
      (one) => one !== undefined,
      { what: 'close of the socket' },
    )
    return closed!.code
  }
}

describe('the WebSocket of a call', function () {
  this.timeout(30_000)
  const tokens = new Tokens(new Keyring(randomBytes(32)))
  const callTokens = new CallTokens(tokens)
  const { token } = callTokens.sign(claims)
  const ended = new Set<string>()
  const existing = async (ids: readonly string[]) => Promise.resolve(ids.filter((id) => !ended.has(id)))
  const credentials = new Credentials({ lasting: existing }, { existing }, callTokens)
  let notes: Notes
  let sockets: CallSockets
  let server: Server
  let port: number

  beforeEach(async () => {
    notes = new Notes()
    sockets = new CallSockets(
      { clientLegs: notes, credentials, log: pino({ level: 'silent' }) },
      { baseDomain: 'localhost', trustedProxies: [loopback[0]!], heartbeatMs: 200, revalidateMs: 200 },
    )
    server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => response.end(`${request.method} ${request.url} ${body}`))
    })
    sockets.serve([server])
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  afterEach(async () => {
    await sockets.stop()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })

  async function open({ call = 'call_1', host = 'acme.localhost', autoPong = true } = {}): Promise<App> {
    const url = `ws://127.0.0.1:${port}/api/v1/calls/${call}/session`
    const socket = new WebSocket(url, { headers: { host }, autoPong })
    const app = new App(socket)
    await once(socket, 'open')
    return app
  }

  async function connected(data: object = { token }): Promise<App> {
    const had = notes.links.length
    const app = await open()
    app.say('session.connect', data)
    await eventually(
      async () => notes.links.length,
      (count) => count > had,
    )
    return app
  }

  const asked = async (what: unknown[]) =>
    eventually(
      async () => notes.asked.at(-1),
      (last) => JSON.stringify(last) === JSON.stringify(what),
      { what: JSON.stringify(what) },
    )

  it('hands on what an app asks, in order', async () => {
    const app = await connected({ token, resume: true })
    expect(notes.asked).to.eql([['connect', 'ag_1', true]])
    app.say('call.answer', { sdp: 'v=0', type: 'answer' })
    app.say('call.ice_candidate', { candidate: '', sdpMid: null, sdpMLineIndex: 0, usernameFragment: 'x' })
    app.say('call.dtmf', { digits: '19#A' })
    app.say('call.mute')
    app.say('call.mute', { muted: false })
    app.say('call.hold', {})
    app.say('call.unhold')
    app.say('call.camera', { on: false })
    app.say('call.transfer', { target: '204' })
    app.say('call.reject', { reason: 'busy' })
    app.say('call.hangup')
    await asked(['hangUp'])
    expect(notes.asked.slice(1)).to.eql([
      ['answer', 'v=0'],
      ['candidate', ''],
      ['dtmf', '19#A'],
      ['mute', true],
      ['mute', false],
      ['hold'],
      ['unhold'],
      ['camera', false],
      ['transfer', '204', undefined],
      ['reject', 'busy'],
      ['hangUp'],
    ])
    notes.links[0]?.send({ event: 'call.ended', data: { reason: 'hangup' } })
    notes.links[0]?.close(1000, 'hangup')
    expect(await app.closes()).to.equal(1000)
    expect(app.told).to.eql([{ event: 'call.ended', data: { reason: 'hangup' } }])
    await asked(['gone'])
  })

  it('says what is wrong with each bad frame, and goes on', async () => {
    const app = await open()
    const bad: [string | Buffer, string][] = [
      ['x', 'bad_frame'],
      ['null', 'bad_frame'],
      ['[]', 'bad_frame'],
      ['"session.connect"', 'bad_frame'],
      ['{"event":7}', 'bad_frame'],
      [Buffer.from('{"event":"call.hold"}'), 'bad_frame'],
      ['{"event":"__proto__"}', 'unknown_event'],
      ['{"event":"toString"}', 'unknown_event'],
      ['{"event":"call.hold"}', 'not_connected'],
      ['{"event":"session.connect"}', 'bad_data'],
      ['{"event":"session.connect","data":[]}', 'bad_data'],
      ['{"event":"session.connect","data":{"token":7}}', 'bad_data'],
      ['{"event":"call.answer","data":{"sdp":""}}', 'bad_data'],
      ['{"event":"call.dtmf","data":{"digits":"12x"}}', 'bad_data'],
      ['{"event":"call.hold","data":null}', 'bad_data'],
      [`{"event":"call.answer","data":{"sdp":"${'x'.repeat(70_000)}"}}`, 'too_large'],
    ]
    for (const [frame] of bad) app.socket.send(frame)
    await eventually(
      async () => app.errors.length,
      (count) => count === bad.length,
    )
    expect(app.errors).to.eql(bad.map(([, code]) => code))
    expect(app.told.at(-3)?.data.message).to.equal('data.digits must be 1 to 32 of 0-9, A-D, * and #')
    app.say('session.connect', { token })
    await asked(['connect', 'ag_1', false])
    app.say('session.connect', { token })
    await eventually(
      async () => app.errors.at(-1),
      (code) => code === 'already_connected',
    )
    notes.refusal = new AppRefused('wrong_state', 'the call is not answered here')
    app.say('call.hold')
    await eventually(
      async () => app.told.at(-1),
      (last) => last?.data.code === 'wrong_state',
    )
    notes.refusal = new Error('a secret of ours')
    app.say('call.hold')
    await eventually(
      async () => app.told.at(-1)?.data,
      (data) => data.code === 'internal' && data.message === 'internal error',
    )
    notes.refusal = undefined
    app.say('call.hold')
    await asked(['hold'])
  })

  it('closes with the session or API key that its token comes from, told of it or not, and takes it no more', async () => {
    for (const [credential, isTold] of [
      ['ses_1', true],
      ['ses_2', false],
      ['sid-3', false],
    ] as const) {
      const { token } = callTokens.sign({ ...claims, credential })
      const app = await connected({ token })
      const other = await connected()
      ended.add(credential)
      if (isTold) sockets.revoke(credential)
      expect(await app.closes(), credential).to.equal(4003)
      expect(app.errors).to.eql(['token_revoked'])
      await asked(['gone'])
      const again = await open()
      again.say('session.connect', { token })
      expect(await again.closes()).to.equal(4003)
      expect(again.errors).to.eql(['token_revoked'])
      expect(other.closed, 'another one').to.equal(undefined)
      other.socket.close()
      await other.closes()
    }
  })

  it('takes 200 of one source that do not say who they are, by the /64 of IPv6, and all of others', async () => {
    const come = async (address: string): Promise<{ status: number; socket: WebSocket; retry: unknown }> => {
      const headers = { host: 'acme.localhost', 'x-forwarded-for': address }
      const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/calls/call_1/session`, { headers })
      socket.on('error', () => undefined)
      return new Promise((resolve) => {
        socket.once('open', () => resolve({ status: 101, socket, retry: undefined }))
        socket.once('unexpected-response', (_, { statusCode = 0, headers: { 'retry-after': retry } }) =>
          resolve({ status: statusCode, socket, retry }),
        )
      })
    }
    const flood = await Promise.all(
      Array.from({ length: 220 }, async (_, index) => come(`2001:db8::${index.toString(16)}`)),
    )
    const refused = flood.filter(({ status }) => status !== 101)
    expect(refused.map(({ status }) => status)).to.deep.equal(Array.from({ length: 20 }, () => 429))
    expect(Number(refused[0]?.retry)).to.be.above(0)
    const others = await Promise.all(['198.51.100.7', '2001:db8:0:1::1'].map(come))
    expect(others.map(({ status }) => status)).to.deep.equal([101, 101])
    for (const { socket } of [...flood, ...others]) socket.terminate()
    await eventually(
      async () => Promise.resolve(sockets.count),
      (count) => count === 0,
    )
    const again = await come('2001:db8::1')
    expect(again.status, 'there is room again').to.equal(101)
    again.socket.terminate()
  })

  it('takes nobody without a token of this very call', async () => {
    const sign = (more: object) => callTokens.sign({ ...claims, ...more }).token
    const other = new CallTokens(new Tokens(new Keyring(randomBytes(32)))).sign(claims).token
    const [header, payload] = token.split('.')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    const tokensOfOthers = [
      sign({ call_id: 'call_2' }),
      sign({ workspace_id: 'other' }),
      other,
      `${none}.${payload}.`,
      `${header}.${payload}.`,
      tokens.sign('agent-api', claims).token,
      'x',
    ]
    for (const wrong of tokensOfOthers) {
      const app = await open()
      app.say('session.connect', { token: wrong })
      expect(await app.closes()).to.equal(4003)
      expect(app.errors).to.eql(['token_invalid'])
    }
    expect(notes.asked).to.eql([])
    notes.refusal = new AppRefused('call_over', 'the call has ended')
    const late = await open()
    late.say('session.connect', { token })
    expect(await late.closes()).to.equal(4004)
    expect(late.errors).to.eql(['call_over'])
    notes.refusal = new Error('broken')
    const broken = await open()
    broken.say('session.connect', { token })
    expect(await broken.closes()).to.equal(1011)
    expect(broken.errors).to.eql(['internal'])
  })

  it('closes on who does not connect, and on who floods it', async () => {
    const silent = await open()
    const flood = await connected()
    for (let index = 0; index < 1_000; index += 1) flood.say('call.hold')
    expect(await flood.closes()).to.equal(4008)
    expect(new Set(flood.errors)).to.eql(new Set(['rate_limited', 'too_many_errors']))
    expect(notes.asked.filter((what) => (what as string[])[0] === 'hold').length).to.be.below(200)
    await asked(['gone'])
    const bad = await open()
    for (let index = 0; index < 300; index += 1) bad.socket.send('x')
    expect(await bad.closes()).to.equal(4008)
    const huge = await open()
    huge.socket.send('x'.repeat(500_000))
    expect(await huge.closes()).to.equal(1009)
    expect(await silent.closes()).to.equal(4001)
    expect(silent.errors).to.eql(['not_connected'])
  })

  it('takes an app whose session.connect came in time, though the server was too busy to read it', async () => {
    const app = await open()
    app.say('session.connect', { token })
    const end = performance.now() + 3_200
    while (performance.now() < end);
    await asked(['connect', 'ag_1', false])
    expect(app.errors).to.eql([])
  })

  it('does not keep more than a few frames waiting', async () => {
    notes.slowMs = 1_500
    const app = await open()
    app.say('session.connect', { token })
    for (let index = 0; index < 100; index += 1) app.say('call.hold')
    await eventually(
      async () => app.errors.length,
      (count) => count >= 30,
    )
    expect(new Set(app.errors)).to.eql(new Set(['rate_limited']))
  })

  it('notices who is gone without a word, and who takes nothing in', async () => {
    const lost = await open({ autoPong: false })
    lost.say('session.connect', { token })
    await asked(['gone'])
    expect(await lost.closes()).to.equal(1006)
    const full = await connected()
    const link = notes.links.at(-1)!
    full.socket.pause()
    const offer = { sdp: 'x'.repeat(60_000), is_video: false, from_avatar: null, transfer_reason: null }
    for (let index = 0; index < 400; index += 1) {
      link.send({ event: 'call.offer', data: offer })
      if (index % 20 === 0) await new Promise((done) => setImmediate(done))
    }
    await asked(['gone'])
    full.socket.terminate()
  })

  it('is told to come again when the server stops, which leaves its leg alone', async () => {
    const app = await connected()
    await sockets.stop()
    expect(await app.closes()).to.equal(1001)
    expect(notes.asked).to.eql([['connect', 'ag_1', false]])
  })

  it('is none elsewhere', async () => {
    const ask = async (path: string, host: string) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers: { host } })
      const [error] = (await once(socket, 'error').catch((thrown: unknown) => [thrown])) as [Error]
      return error.message
    }
    expect(await ask('/api/v1/calls/call_1/session', 'admin.localhost')).to.match(/404/)
    expect(await ask('/api/v1/calls/call_1/session', 'elsewhere')).to.match(/404/)
    expect(await ask('/api/v1/calls/call_1', 'acme.localhost')).to.match(/404/)
    expect(await ask('/api/v1/calls/../session', 'acme.localhost')).to.match(/404/)
  })

  it('leaves alone who asks for another upgrade', async () => {
    const socket = connect(port, '127.0.0.1')
    let got = ''
    socket.on('data', (chunk: Buffer) => (got += chunk.toString()))
    socket.write(
      'POST /x HTTP/1.1\r\nHost: acme.localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n' +
        'HTTP2-Settings: AAMAAABk\r\nContent-Length: 5\r\n\r\nhel',
    )
    await new Promise((done) => setTimeout(done, 50))
    socket.write('lo')
    await eventually(
      async () => got,
      (text) => text.endsWith('POST /x hello'),
    )
    expect(got).to.match(/^HTTP\/1\.1 200 OK/)
    socket.destroy()
  })

  it('survives whatever is sent', async () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('session.connect', 'call.answer', token))
    const frame = fc.oneof(
      fc.string(),
      fc.record({ event: value, data: value }).map((one) => JSON.stringify(one)),
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { maxLength: 20 }), async (frames) => {
        const app = await open()
        for (const one of frames) app.socket.send(one)
        app.say('call.hold')
        await eventually(
          async () => app.errors.length + (app.closed ? 100 : 0),
          (count) => count > frames.length,
        )
        app.socket.terminate()
      }),
      { numRuns: 30 },
    )
  })
})
