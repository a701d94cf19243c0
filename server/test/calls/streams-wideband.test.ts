/** Streams of calls to telephones that speak Opus, on a real FreeSWITCH: up to which pitch each side hears the other. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { Baresip } from '../support/baresip.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { PhoneBench, password } from '../support/phone-bench.js'
import { type HeardStream, StreamServer } from '../support/stream-server.js'

describe('streams of calls with Opus on the freeswitch', function () {
  this.timeout(120_000)
  let phones: PhoneBench
  let server: StreamServer

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    server = await StreamServer.start()
    phones = await PhoneBench.start({
      settings: { JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.0/8' },
    })
  })
  after(async () => {
    await phones?.stop()
    await server?.stop()
  })

  /** A baresip that answers, with Opus and nothing else. */
  async function baresip(username: string, toneHz: number): Promise<Baresip> {
    const account = await phones.account(username)
    const kamailio = phones.bench.appliance.kamailio!
    const { sipHost, sipPort } = kamailio.options
    const proxy = `sip:${sipHost}:${sipPort};transport=udp`
    const phone = await Baresip.start({ ...account, password, proxy }, { codec: 'opus', toneHz })
    await eventually(
      async () => kamailio.rpc('ul.lookup', ['location', `${username}@${account.domain}`]).catch(() => null),
      (found) => found !== null,
      { what: `registration of ${username}` },
    )
    return phone
  }

  const stream = (path: string, params: object) => ({
    action: 'stream',
    params: { ws_url: `${server.url}/${path}`, ...params },
  })

  /** Calls a phone, whose party talks with one stream while four others hear them. */
  async function streamed(username: string, twoWayRate: number): Promise<(path: string) => HeardStream> {
    const had = server.streams.length
    await phones.bench.call(username, [
      stream('in8', { track: 'inbound', sample_rate: 8000 }),
      stream('in16', { track: 'inbound', sample_rate: 16000 }),
      stream('out8', { track: 'outbound', sample_rate: 8000 }),
      stream('out16', { track: 'outbound', sample_rate: 16000 }),
      stream('talk', { bidirectional: true, sample_rate: twoWayRate }),
    ])
    await server.stream(had + 4)
    return (path) => server.streams.slice(had).find((one) => one.path === `/${path}`)!
  }

  /** How loud half a second is that comes from now on: the root mean square. */
  async function loudness(heard: HeardStream, rate: number): Promise<number> {
    const from = heard.bytes
    const pcm = await eventually(
      async () => heard.pcm(from).subarray(-rate / 2),
      ({ length }) => length === rate / 2,
      { what: 'half a second' },
    )
    return Math.sqrt(pcm.reduce((sum, sample) => sum + sample * sample, 0) / pcm.length)
  }

  for (const rate of [8000, 16000]) {
    it(`are of the right pitch, both ways at ${rate} Hz and in the background at each rate`, async () => {
      const phone = await baresip(`low${rate}`, 700)
      try {
        const heard = await streamed(`low${rate}`, rate)
        heard('talk').say(1000, 40, rate)
        await phone.hears(1000, [700])
        await heard('talk').hears([700], [1000], rate)
        await heard('in8').hears([700], [1000], 8000)
        await heard('in16').hears([700], [1000], 16000)
        await heard('out8').hears([1000], [700], 8000)
        await heard('out16').hears([1000], [700], 16000)
      } finally {
        await phone.stop()
      }
      await phones.lastCall()
      expect(await heardClosed()).to.equal(true)
    })
  }

  it('carry at 16 kHz what no telephone line does, and at 8 kHz nothing in its place', async () => {
    const phone = await baresip('high', 5500)
    try {
      const heard = await streamed('high', 16000)
      heard('talk').say(6200, 60, 16000)
      await phone.hears(6200, [5500])
      await heard('talk').hears([5500], [6200], 16000)
      await heard('in16').hears([5500], [6200], 16000)
      await heard('out16').hears([6200], [5500], 16000)
      // What is above half the rate is gone: not folded down to 2,500 and 1,800 Hz.
      const loud = await loudness(heard('in16'), 16000)
      expect(loud).to.be.above(2_000)
      expect(await loudness(heard('in8'), 8000)).to.be.below(loud / 30)
      expect(await loudness(heard('out8'), 8000)).to.be.below(loud / 30)
    } finally {
      await phone.stop()
    }
    await phones.lastCall()
    expect(await heardClosed()).to.equal(true)
  })

  const heardClosed = async () =>
    eventually(
      async () => server.streams.every(({ closed }) => closed !== null),
      (closed) => closed,
      { what: 'end of all streams' },
    )
})
