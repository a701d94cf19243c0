/** The action `stream` on the real switch: what customers' servers hear of calls, and what callers hear of them. */
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ActionsBench, type TestCall, asFlow, hz, sleep } from '../support/actions-bench.js'
import { eventually } from '../support/api-client.js'
import { Child } from '../support/child.js'
import { DnsServer } from '../support/dns-server.js'
import { freePort } from '../support/free-ports.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { hears } from '../support/phone-dialog.js'
import { StreamServer } from '../support/stream-server.js'
import type { Telephone } from '../support/telephone.js'
import { selfSigned } from '../support/tls-relay.js'

const zone: Record<string, readonly string[]> = {
  localhost: ['127.0.0.1'],
  'inside.test': ['10.0.0.1', 'fd00::1'],
  'both.test': ['10.0.0.1', '127.0.0.1'],
}

/** Of the caller, and of whom a script connects them with. */
const callerHz = 440
const operatorHz = 1500

describe('streams of calls on the freeswitch', function () {
  this.timeout(120_000)
  let bench: ActionsBench
  let server: StreamServer
  let dns: DnsServer
  let directory: string
  /** Of an authority that the server of calls trusts. */
  let trusted: { certificate: string; key: string }
  let operator: Telephone
  let from: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    server = await StreamServer.start()
    dns = await DnsServer.start((name) => zone[name] ?? [])
    directory = await mkdtemp(join(tmpdir(), 'jackfield-streams-'))
    trusted = await selfSigned(directory)
    bench = await ActionsBench.start({
      settings: {
        JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.0/8',
        JACKFIELD_HTTP_CLIENT_DNS_SERVERS: dns.address,
        NODE_EXTRA_CA_CERTS: trusted.certificate,
      },
    })
    ;({ phone: operator, from } = await bench.operator({ toneHz: operatorHz }))
  })
  after(async () => {
    await bench?.stop()
    await server?.stop()
    dns?.close()
    if (directory) await rm(directory, { recursive: true, force: true })
  })

  const stream = (params: object = {}) => ({
    action: 'stream',
    params: { ws_url: `${server.url}/hear`, ...params },
  })
  const node = (params: object = {}, next: Record<string, string> = {}) => ({
    ...{ id: 'stream', type: 'stream', params: stream(params).params, next },
  })
  const reach = () => ({ action: 'to_operator', params: { phone_number: '+12025550106', from } })

  const told = async (call: TestCall) =>
    (await call.events('call.stream')).map(({ status, reason }) => [status, reason].filter(Boolean).join(':'))

  it('tells the server whose call it is', async () => {
    const had = server.streams.length
    const ws_url = `${server.url}/hear?mine=a%20b&call_id=x#part`
    const call = await bench.callIn([
      node({ ws_url, headers: { Authorization: 'Bearer of-mine', 'X-Mine': '1' } }),
    ])
    const heard = await server.stream(had)
    expect(heard.path).to.equal('/hear')
    expect(heard.query).to.deep.equal({
      ...{ mine: 'a b', call_id: call.id, workspace_id: bench.calls.workspace.id },
      ...{ caller_number: '+12125550123', caller_name: '+12125550123' },
      ...{ destination_number: bench.inbound.number, stream_type: 'platform_stream' },
    })
    expect(heard.headers).to.include({ authorization: 'Bearer of-mine', 'x-mine': '1' })
    expect(heard.headers['sec-websocket-extensions']).to.equal(undefined)
    await call.dialog.hangUp()
    expect(await heard.over()).to.equal(1000)
    await call.over()
    expect(await call.outcomes()).to.deep.equal(['stream:completed'])
  })

  for (const rate of [8000, 16000]) {
    it(`hears the caller and the prompt at ${rate} Hz, in frames of 20 ms`, async () => {
      const had = server.streams.length
      const call = await bench.callIn([
        { id: 'both', type: 'stream', params: stream({ sample_rate: rate }).params, next: { default: 'in' } },
        {
          id: 'in',
          type: 'stream',
          params: stream({ sample_rate: rate, track: 'inbound' }).params,
          next: { default: 'out' },
        },
        {
          id: 'out',
          type: 'stream',
          params: stream({ sample_rate: rate, track: 'outbound' }).params,
          next: { default: 'play' },
        },
        { id: 'play', type: 'play', params: { audio_id: await bench.audio(hz.high, 8) } },
      ])
      await server.stream(had + 2)
      const now = server.streams.slice(had)
      // The switch connects them in any order.
      await call.hears(hz.high)
      const both = now.find((one) => one.path === '/hear')!
      await eventually(async () => now.every(({ bytes }) => bytes > rate), Boolean, { what: 'sound in each' })
      const kinds = await eventually(
        async () =>
          now
            .map((one) => [callerHz, hz.high].filter((tone) => one.level(tone, rate) > 0.2).join('+'))
            .sort(),
        (all) => all.join(' ') === [`${callerHz}`, `${callerHz}+${hz.high}`, `${hz.high}`].sort().join(' '),
        { what: 'the tracks' },
      )
      expect(kinds).to.have.length(3)
      for (const one of now) expect(new Set(one.lengths)).to.deep.equal(new Set([rate / 25]))
      expect(both.closed).to.equal(null)
      await call.dialog.hangUp()
      for (const one of now) expect(await one.over()).to.equal(1000)
      await call.over()
    })
  }

  it('hears each side of a talk, and stays with the caller when that is over', async () => {
    const had = server.streams.length
    const call = await bench.callIn(
      asFlow([
        stream({ ws_url: `${server.url}/both` }),
        stream({ ws_url: `${server.url}/inbound`, track: 'inbound', sample_rate: 16000 }),
        stream({ ws_url: `${server.url}/outbound`, track: 'outbound' }),
        reach(),
        await bench.tone(hz.low, 8),
      ]),
    )
    await call.hears(operatorHz)
    await server.stream(had + 2)
    const [both, inbound, outbound] = ['both', 'inbound', 'outbound'].map((path) =>
      server.streams.slice(had).find((one) => one.path === `/${path}`)!,
    )
    await both!.hears([callerHz, operatorHz], [hz.low], 8000)
    await inbound!.hears([callerHz], [operatorHz, hz.low], 16000)
    await outbound!.hears([operatorHz], [callerHz, hz.low], 8000)
    await operator.incoming.at(-1)!.hangUp()
    await outbound!.hears([hz.low], [callerHz, operatorHz], 8000)
    await both!.hears([callerHz, hz.low], [operatorHz], 8000)
    await call.dialog.hangUp()
    for (const one of [both, inbound, outbound]) expect(await one!.over()).to.equal(1000)
    await call.over()
    const all = ['started', 'ended:call_ended'].flatMap((word) => [word, word, word])
    expect(await told(call)).to.deep.equal(all)
  })

  it('hears a call that went out: those who were called are inbound', async () => {
    const had = server.streams.length
    const call = await bench.callOut([
      stream({ track: 'inbound', sample_rate: 16000 }),
      await bench.tone(hz.middle, 8),
    ])
    await (await server.stream(had)).hears([440], [hz.middle], 16000)
    await call.dialog.hangUp()
    await call.over()
  })

  it('stays on the line with a script that has nothing left, until the server leaves', async () => {
    const had = server.streams.length
    const call = await bench.run('outbound', [await bench.tone(hz.low, 1), stream()])
    const heard = await server.stream(had)
    await heard.hears([440], [], 8000)
    heard.socket.close()
    const { by, record } = await call.over()
    expect(by).to.equal('BYE')
    expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
    expect(await told(call)).to.deep.equal(['started', 'ended:closed'])
  })

  it('goes on at once with what is put behind such a script, or in its place', async () => {
    const had = server.streams.length
    const call = await bench.run('outbound', [stream()])
    await (await server.stream(had)).hears([440], [], 8000)
    const pushed = { actions: [await bench.tone(hz.low, 1), stream({ track: 'inbound' })], mode: 'push' }
    expect((await bench.api.put(`/calls/${call.id}/actions`, pushed)).status).to.equal(200)
    await call.hears(hz.low)
    await server.stream(had + 1)
    await sleep(500)
    const replaced = { actions: [await bench.tone(hz.high, 1), { action: 'hangup' }] }
    expect((await bench.api.put(`/calls/${call.id}/actions`, replaced)).status).to.equal(200)
    await call.hears(hz.high)
    await call.over()
    expect(await server.streams[had]!.over()).to.equal(1000)
  })

  for (const direction of ['outbound', 'inbound'] as const) {
    it(`does not stay for streams that an action has come behind: ${direction}`, async () => {
      const had = server.streams.length
      const script = [stream(), await bench.tone(hz.low, 1), stream({ track: 'inbound' })]
      const call = await bench.run(direction, [...script, await bench.tone(hz.high, 1)])
      await call.hears(hz.high)
      const { by, record } = await call.over()
      expect(by).to.equal('BYE')
      expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
      expect(record.duration).to.be.below(8)
      for (const one of server.streams.slice(had)) expect(await one.over()).to.equal(1000)
      const outcomes = ['stream', 'play', 'stream', 'play'].map((action) => `${action}:completed`)
      expect(await call.outcomes()).to.deep.equal(outcomes)
    })
  }

  it('ends with an action that was put behind the stream that it stayed for', async () => {
    const had = server.streams.length
    const call = await bench.run('outbound', [stream()])
    await server.stream(had)
    const pushed = { actions: [await bench.tone(hz.low, 1)], mode: 'push' }
    expect((await bench.api.put(`/calls/${call.id}/actions`, pushed)).status).to.equal(200)
    await call.hears(hz.low)
    const { by } = await call.over()
    expect(by).to.equal('BYE')
    expect(await server.streams[had]!.over()).to.equal(1000)
  })

  it('does not keep a caller on the line whose talk is over', async () => {
    const had = server.streams.length
    const call = await bench.run('outbound', [stream(), reach()])
    await call.hears(operatorHz)
    const heard = await server.stream(had)
    await operator.incoming.at(-1)!.hangUp()
    await call.over()
    expect(await heard.over()).to.equal(1000)
  })

  it('has four at most in the background of a call', async () => {
    const call = await bench.callOut([1, 2, 3, 4, 5].map(() => stream()))
    await eventually(
      async () => call.outcomes(),
      (all) => all.length === 5,
      { what: 'five streams' },
    )
    await call.dialog.hangUp()
    await call.over()
    const completed = Array.from({ length: 4 }, () => 'stream:completed')
    expect(await call.outcomes()).to.deep.equal([...completed, 'stream:failed'])
  })

  describe('in both directions', () => {
    for (const rate of [8000, 16000]) {
      it(`at ${rate} Hz: the server hears the caller alone, and the caller the server`, async () => {
        const had = server.streams.length
        const call = await bench.run('inbound', [
          stream({ bidirectional: true, sample_rate: rate }),
          await bench.tone(hz.low, 1),
        ])
        const heard = await server.stream(had)
        await heard.hears([callerHz], [hz.high], rate)
        // Cut where no sample ends.
        heard.say(hz.high, 20, rate, 1_001)
        await call.hears(hz.high)
        await heard.hears([callerHz], [hz.high], rate)
        expect(new Set(heard.lengths)).to.deep.equal(new Set([rate / 25]))
        const before = Date.now()
        heard.tell({ type: 'unknown' })
        heard.tell('no JSON')
        heard.tell({ type: 'killAudio' })
        await eventually(
          async () => hears(call.dialog, hz.high, 800),
          (level) => level < 0.1,
          { what: 'silence', everyMs: 20 },
        )
        expect(Date.now() - before).to.be.below(500)
        heard.say(hz.middle, 1, rate)
        await call.hears(hz.middle)
        heard.socket.close()
        await call.hears(hz.low)
        await call.over()
        expect(await call.outcomes()).to.deep.equal(['stream:completed', 'play:completed'])
        expect(await told(call)).to.deep.equal(['started', 'ended:closed'])
      })
    }

    it('talks with the server of the documentation, which says the caller’s own words back', async () => {
      const page = await readFile(
        new URL('../../../../docs/integrate/audio-streams.md', import.meta.url),
        'utf8',
      )
      const [, code = ''] = /^```js\n(.+?)^```/ms.exec(page) ?? []
      const port = await freePort()
      expect(code).to.include('8080')
      const example = await Child.start(process.execPath, [
        ...['--input-type=module', '--eval', code.replace('8080', String(port))],
      ])
      try {
        await eventually(
          async () =>
            fetch(`http://127.0.0.1:${port}/`).then(
              ({ status }) => status,
              () => 0,
            ),
          (status) => status === 426,
          { what: 'example that listens' },
        )
        const call = await bench.run('inbound', [
          stream({ ws_url: `ws://127.0.0.1:${port}/`, bidirectional: true }),
        ])
        await call.hears(callerHz)
        await call.dialog.hangUp()
        await call.over()
        await eventually(
          async () => example.output,
          (output) => output === `call ${call.id} of +12125550123\nover\n`,
          { what: 'what the example prints' },
        )
      } finally {
        await example.stop()
      }
    })

    it('ends with the caller', async () => {
      const had = server.streams.length
      const call = await bench.run('outbound', [stream({ bidirectional: true })])
      const heard = await server.stream(had)
      await heard.hears([440], [], 8000)
      await call.dialog.hangUp()
      expect(await heard.over()).to.equal(1000)
      const { record } = await call.over()
      expect(record.legs.map(({ role, uri }) => [role, uri.split('_')[0]])).to.deep.equal([
        ['called', record.legs[0]!.uri.split('_')[0]],
        ['destination', 'stream:str'],
      ])
      await eventually(
        async () => told(call),
        (words) => words.join() === 'started,ended:call_ended',
        { what: 'the end of the stream on the timeline' },
      )
    })

    it('does not answer a caller whose server is not there, where it is asked not to', async () => {
      const call = await bench.ring([
        node(
          { ws_url: `ws://127.0.0.1:${await freePort()}/`, bidirectional: true, answer_call: false },
          { completed: 'play', failed: 'bye' },
        ),
        { id: 'play', type: 'play', params: { audio_id: await bench.audio(hz.low, 1) } },
        { id: 'bye', type: 'hangup', params: { cause: 'USER_BUSY' } },
      ])
      expect(await call.dialog.answered()).to.equal(486)
      await call.over()
    })
  })

  describe('with servers that are not as they should be', () => {
    it('is refused where the address is private', async () => {
      for (const host of ['10.0.0.1', '[::1]', '192.168.1.1:8080', '169.254.169.254']) {
        const { status, body } = await bench.api.post('/calls/make', {
          ...{ to: { number: '+12125550199' }, from: { number: bench.customerNumber } },
          actions: [stream({ ws_url: `ws://${host}/` })],
        })
        expect(status, host).to.equal(400)
        expect(body.message).to.include('ws_url must lead to a public address')
      }
    })

    it('is refused where a name leads to a private address, and the script goes on', async () => {
      const { port } = new URL(server.url)
      const had = server.streams.length
      for (const bidirectional of [false, true]) {
        const call = await bench.run('outbound', [
          stream({ ws_url: `ws://inside.test:${port}/`, bidirectional }),
          await bench.tone(hz.low, 1),
        ])
        await call.hears(hz.low)
        await call.over()
        expect((await call.outcomes())[0]).to.equal(bidirectional ? 'stream:failed' : 'stream:completed')
        expect(await told(call)).to.deep.equal(['ended:refused'])
      }
      expect(dns.asked('inside.test')).to.be.above(0)
      // Of two addresses of a name, the public one is called.
      const call = await bench.run('outbound', [stream({ ws_url: `ws://both.test:${port}/` })])
      await server.stream(had)
      await call.dialog.hangUp()
      await call.over()
    })

    it('is not sent on by a redirect', async () => {
      const had = server.streams.length
      const elsewhere = createHttpServer()
      elsewhere.on('upgrade', (_request, socket) => {
        socket.end(`HTTP/1.1 302 Found\r\nLocation: ${server.url}/\r\nContent-Length: 0\r\n\r\n`)
      })
      elsewhere.listen(0, '127.0.0.1')
      await once(elsewhere, 'listening')
      const { port } = elsewhere.address() as AddressInfo
      const call = await bench.run('outbound', [
        stream({ ws_url: `ws://127.0.0.1:${port}/` }),
        await bench.tone(hz.low, 1),
      ])
      await call.hears(hz.low)
      await call.over()
      expect(await told(call)).to.deep.equal(['ended:unreachable'])
      expect(server.streams).to.have.length(had)
      elsewhere.close()
    })

    it('is given its sound over TLS only with a certificate that is right', async () => {
      const other = await mkdtemp(join(directory, 'other-'))
      const known = await StreamServer.start(trusted)
      const unknown = await StreamServer.start(await selfSigned(other))
      const call = await bench.callOut([
        stream({ ws_url: unknown.url }),
        stream({ ws_url: known.url.replace('127.0.0.1', 'both.test') }),
        stream({ ws_url: known.url.replace('127.0.0.1', 'localhost') }),
      ])
      await (await known.stream(0)).hears([440], [], 8000)
      await call.dialog.hangUp()
      await call.over()
      expect((await told(call)).sort()).to.deep.equal([
        ...['ended:call_ended', 'ended:unreachable', 'ended:unreachable', 'started'],
      ])
      expect([known.streams.length, unknown.streams.length]).to.deep.equal([1, 0])
      await Promise.all([known.stop(), unknown.stop()])
    })

    it('goes on with the script when there is none, and tells so', async () => {
      const call = await bench.run('outbound', [
        stream({ ws_url: `ws://127.0.0.1:${await freePort()}/` }),
        await bench.tone(hz.low, 1),
      ])
      await call.hears(hz.low)
      await call.over()
      expect(await told(call)).to.deep.equal(['ended:unreachable'])
    })

    it('does not wait for one that never answers the handshake', async () => {
      const silent = createServer((socket) => socket.on('error', () => undefined))
      silent.listen(0, '127.0.0.1')
      await once(silent, 'listening')
      const { port } = silent.address() as AddressInfo
      const call = await bench.run('outbound', [
        stream({ ws_url: `ws://127.0.0.1:${port}/` }),
        await bench.tone(hz.low, 1),
        stream({ ws_url: `ws://127.0.0.1:${port}/` }),
      ])
      await call.hears(hz.low)
      // The last stream keeps the line until its server is given up.
      const { record } = await call.over()
      expect(record.duration).to.be.within(9, 16)
      expect(await told(call)).to.deep.equal(['ended:unreachable', 'ended:unreachable'])
      silent.close()
    })

    it('leaves one that reads nothing, while both talk on', async () => {
      const had = server.streams.length
      const call = await bench.run('inbound', [stream({ sample_rate: 16000 }), reach()])
      await call.hears(operatorHz)
      const heard = await server.stream(had)
      await heard.hears([callerHz, operatorHz], [], 16000)
      heard.socket.pause()
      await eventually(
        async () => told(call),
        (all) => all.length === 2,
        { withinMs: 60_000, what: 'end of the stream' },
      )
      expect((await told(call))[1]).to.match(/^ended:(lost|stalled)$/)
      expect(hears(call.dialog, operatorHz)).to.be.above(0.8)
      expect(hears(operator.incoming.at(-1)!, callerHz)).to.be.above(0.8)
      await call.dialog.hangUp()
      await call.over()
    })
  })

  describe('when the server of calls is killed', () => {
    it('goes on with a stream in the background, and with what the script stays for', async () => {
      const had = server.streams.length
      const call = await bench.run('outbound', [await bench.tone(hz.low, 1), stream({ track: 'inbound' })])
      const first = await server.stream(had)
      await first.hears([440], [hz.low], 8000)
      await bench.calls.appliance.killServer()
      expect(await first.over()).to.equal(1006)
      await bench.calls.appliance.startServer()
      const second = await server.stream(had + 1)
      expect(second.query).to.deep.equal(first.query)
      await second.hears([440], [hz.low], 8000)
      second.socket.close()
      const { record } = await call.over()
      expect(record).to.include({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
      expect(await call.outcomes()).to.deep.equal(['play:completed', 'stream:completed'])
      expect(server.streams).to.have.length(had + 2)
    })

    it('connects the caller with the customer’s server anew', async () => {
      const had = server.streams.length
      const call = await bench.run('inbound', [
        stream({ bidirectional: true, sample_rate: 16000 }),
        await bench.tone(hz.low, 1),
      ])
      const first = await server.stream(had)
      first.say(hz.middle, 30, 16000)
      await call.hears(hz.middle)
      await bench.calls.appliance.killServer()
      await bench.calls.appliance.startServer()
      const second = await server.stream(had + 1)
      // The telephone sends nothing where it has heard nothing for long.
      call.press('')
      await second.hears([callerHz], [], 16000)
      second.say(hz.high, 30, 16000)
      await call.hears(hz.high)
      second.socket.close()
      await call.hears(hz.low)
      await call.over()
      expect(await call.outcomes()).to.deep.equal(['stream:completed', 'play:completed'])
    })
  })
})
