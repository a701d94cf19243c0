/** Video between apps in browsers, which a FreeSWITCH with VP8 passes on. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { TestClient } from '../sandbox/event-socket-client.js'
import { type AgentApp, AppBench, type Way } from '../support/app-bench.js'
import { findChromium } from '../support/browser.js'
import { type Freeswitch, findFreeswitch } from '../support/freeswitch.js'
import { TeamBench } from '../support/team-bench.js'

async function speaksVp8({ port, password }: Freeswitch): Promise<boolean> {
  const client = await TestClient.open(port, password, '')
  const codecs = await client.api('show codec')
  client.socket.destroy()
  return codecs.includes('VP8')
}

describe('video calls of apps on the freeswitch', function () {
  this.timeout(120_000)
  let bench: TeamBench
  let apps: AppBench
  let anna: AgentApp
  let ben: AgentApp

  before(async function () {
    if (!findChromium() || !(await findFreeswitch())) this.skip()
    bench = await TeamBench.start({ settings: { JACKFIELD_RATE_LIMITS_AUTH: '1000000' } })
    if (!(await speaksVp8(bench.inbound.bench.appliance.freeswitch!))) this.skip()
    apps = await AppBench.on(bench)
    anna = await apps.agent('anna', 900)
    ben = await apps.agent('ben', 1300)
    await anna.page.call('peer', 'film', 'rgb(220, 0, 0)')
    await ben.page.call('peer', 'film', 'rgb(0, 0, 220)')
  })
  after(async () => {
    if (apps) await apps?.stop()
    else await bench?.stop()
  })

  async function calls(type: 'audio' | 'video'): Promise<void> {
    const had = await ben.incomingCalls()
    const api = bench.phones.api.with({ authorization: `Bearer ${anna.accessToken}` })
    const { status, body } = await api.post('/call-center/calls/make', { to: 'ben', type })
    expect(status, JSON.stringify(body)).to.equal(201)
    await anna.enter(body as Way)
    await anna.answer()
    await ben.enter(await ben.rung(had))
    expect(await ben.told('call.offer')).to.include({ is_video: type === 'video' })
    await ben.answer()
  }

  it('show each the other, and tell who has put their camera off', async () => {
    await calls('video')
    await Promise.all([anna.page.sees('blue'), ben.page.sees('red')])
    await Promise.all([anna.page.hears([1300]), ben.page.hears([900])])
    await anna.say('call.camera', { on: false })
    expect(await ben.told('call.camera')).to.eql({ on: false })
    await ben.say('call.hold')
    await anna.page.hears([], [1300])
    await ben.say('call.unhold')
    await anna.page.hears([1300])
    // The switch crashed when a bridge was ended before its video ran.
    for (const event of ['call.hold', 'call.unhold', 'call.hold', 'call.unhold']) await ben.say(event)
    await ben.told('call.unheld', 2)
    await anna.page.hears([1300])
    await ben.page.call('peer', 'film', 'rgb(0, 220, 0)')
    await anna.page.sees('green')
    await ben.say('call.hangup')
    expect(await anna.told('call.ended')).to.eql({ reason: 'hangup' })
  })

  it('leave the switch alone when one of both leaves as soon as they are joined', async () => {
    for (let count = 0; count < 5; count += 1) {
      await calls('video')
      await sleep(40 * count)
      await ben.say('call.hangup')
      expect(await anna.told('call.ended'), `call ${count + 1}`).to.eql({ reason: 'hangup' })
      for (const app of [anna, ben]) await bench.inState(app, 'available')
    }
  })

  it('are not offered to who is called without', async () => {
    await calls('audio')
    await Promise.all([anna.page.hears([1300]), ben.page.hears([900])])
    await anna.say('call.hangup')
    await ben.told('call.ended')
  })
})
