/** Streams in the background of calls whose parties wait and are handed over, on a real FreeSWITCH. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { AppBench } from '../support/app-bench.js'
import { findChromium } from '../support/browser.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { hears } from '../support/phone-dialog.js'
import { type HeardStream, StreamServer } from '../support/stream-server.js'
import { type SignedInWorker, TeamBench, rung } from '../support/team-bench.js'

const callerHz = 440
/** One of the music's two tones. */
const musicHz = 659.26

describe('streams of talks on the freeswitch', function () {
  this.timeout(120_000)
  let bench: TeamBench
  let apps: AppBench | undefined
  let server: StreamServer
  let ben: SignedInWorker
  let cleo: SignedInWorker

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    server = await StreamServer.start()
    bench = await TeamBench.start({
      settings: {
        JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.0/8',
        JACKFIELD_RATE_LIMITS_AUTH: '1000000',
      },
    })
    ben = await bench.signedIn('ben', 900)
    cleo = await bench.signedIn('cleo', 1300)
  })
  after(async () => {
    await (apps ?? bench)?.stop()
    await server?.stop()
  })
  beforeEach(async () => bench.ready(ben, cleo))

  const stream = (track: string) => ({
    type: 'stream',
    params: { ws_url: `${server.url}/${track}`, track, sample_rate: 16000 },
  })

  /** The streams of both tracks, of which there were so many before. */
  const tracks = async (had: number) => {
    await server.stream(had + 1)
    const of = (track: string) => server.streams.slice(had).find(({ path }) => path === `/${track}`)!
    return { inbound: of('inbound'), outbound: of('outbound') }
  }

  const hearsMusic = async (heard: HeardStream, not: readonly number[]) => {
    const from = heard.bytes
    await eventually(
      async () => [musicHz, ...not].map((hz) => heard.level(hz, 16_000, from)),
      ([music = 0, ...others]) => music > 0.1 && others.every((level) => level < 0.02),
      { withinMs: 15_000, what: 'music in a stream' },
    )
  }

  /** Both streams ended with the call, and there was no other. */
  const ended = async (had: number) => {
    expect(server.streams).to.have.length(had + 2)
    for (const one of server.streams.slice(had)) expect(await one.over()).to.equal(1000)
  }

  it('go on while the caller is held, and when the agent hands them over', async function () {
    if (!findChromium()) this.skip()
    apps = await AppBench.on(bench)
    const anna = await apps.agent('anna', 600)
    await bench.inbound.runs([
      { id: 'in', ...stream('inbound'), next: { default: 'out' } },
      { id: 'out', ...stream('outbound'), next: { default: 'to' } },
      { id: 'to', type: 'connect_agent', params: { agent_id: anna.agent.id } },
    ])
    const [had, calls] = [server.streams.length, await anna.incomingCalls()]
    const caller = await bench.call(callerHz)
    const { call_id } = await anna.pickUp(calls)
    const { inbound, outbound } = await tracks(had)
    await inbound.hears([callerHz], [anna.hz], 16_000)
    await outbound.hears([anna.hz], [callerHz], 16_000)
    await anna.say('call.hold')
    await anna.told('call.held')
    await hearsMusic(outbound, [anna.hz, callerHz])
    await inbound.hears([callerHz], [anna.hz], 16_000)
    await anna.say('call.unhold')
    await anna.told('call.unheld')
    await outbound.hears([anna.hz], [callerHz, musicHz], 16_000)
    ben.phone.onCall = 'ring'
    const before = ben.phone.incoming.length
    const path = `/call-center/calls/${call_id}/transfer`
    const { status, body } = await ben.api.post(path, { target: 'ben' })
    expect(status, JSON.stringify(body)).to.equal(200)
    const bens = await rung(ben, before)
    await hearsMusic(outbound, [anna.hz, callerHz])
    ben.phone.accept(bens)
    await outbound.hears([ben.hz], [anna.hz, callerHz, musicHz], 16_000)
    await inbound.hears([callerHz], [anna.hz, ben.hz], 16_000)
    await caller.hangUp()
    expect(await bens.over()).to.equal('BYE')
    await ended(had)
  })

  it('go on with whoever takes the place of the call’s party', async () => {
    const desk = await bench.phones.account('desk')
    const phone = await bench.phones.phone(desk, { toneHz: callerHz })
    const [had, bens, cleos] = [server.streams.length, ben.phone.incoming.length, cleo.phone.incoming.length]
    const id = await bench.inbound.bench.call('ben', [
      ...['inbound', 'outbound'].map((track) => ({ action: 'stream', params: stream(track).params })),
      { action: 'to_operator', params: { phone_number: 'desk' } },
    ])
    const first = await rung(ben, bens)
    const others = await phone.called(0)
    const { inbound, outbound } = await tracks(had)
    await inbound.hears([ben.hz], [callerHz], 16_000)
    await outbound.hears([callerHz], [ben.hz], 16_000)
    const path = `/call-center/calls/${id}/transfer`
    const { status, body } = await ben.api.post(path, { target_username: 'cleo' })
    expect(status, JSON.stringify(body)).to.equal(200)
    const second = await rung(cleo, cleos)
    expect(await first.over()).to.equal('BYE')
    await eventually(
      async () => hears(others, cleo.hz),
      (level) => level > 0.8,
      { what: 'the desk hears cleo' },
    )
    await inbound.hears([cleo.hz], [ben.hz, callerHz], 16_000)
    await outbound.hears([callerHz], [ben.hz, cleo.hz], 16_000)
    await second.hangUp()
    await others.over()
    await ended(had)
  })
})
