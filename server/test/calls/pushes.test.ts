/** Calls from outside that ring an agent's devices through APNs and FCM, on a real FreeSWITCH. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { ApnsRequest } from '../support/apns-server.js'
import { type AgentApp, AppBench, type Way } from '../support/app-bench.js'
import { findChromium } from '../support/browser.js'
import type { FcmRequest } from '../support/fcm-server.js'
import { findFreeswitch } from '../support/freeswitch.js'
import {
  type PushServers,
  addPushCredentials,
  newApnsToken,
  newFcmToken,
  startPushServers,
} from '../support/push-bench.js'
import { TeamBench, type Worker, hearing } from '../support/team-bench.js'
import { androidCredential, iosCredential } from '../api/push-fixtures.js'
import { keyRights, succeed } from '../api/fixtures.js'

const callerHz = 440
const ringTimeout = 20

describe('pushes of calls on the freeswitch', function () {
  this.timeout(90_000)
  let servers: PushServers
  let bench: TeamBench
  let apps: AppBench
  let anna: Worker
  let app: AgentApp
  // New for each test, so that each sees its own pushes only.
  let iphone: { ring: string; end: string }
  let pixel: string

  before(async function () {
    if (!findChromium() || !(await findFreeswitch())) this.skip()
    servers = await startPushServers()
    bench = await TeamBench.start({
      settings: { JACKFIELD_RATE_LIMITS_AUTH: '1000000', ...servers.settings },
    })
    apps = await AppBench.on(bench)
    const { api } = bench.phones
    const { sid } = await succeed(api.post('/api-keys', keyRights))
    await addPushCredentials({ api, sid })
    anna = await bench.worker('anna', 600)
    app = await apps.sleepingApp(anna.agent, 900)
  })
  beforeEach(async () => {
    anna.phone.onCall = 'ring'
    iphone = { ring: newApnsToken(), end: newApnsToken() }
    pixel = newFcmToken()
    const own = bench.phones.api.with({ authorization: `Bearer ${app.accessToken}` })
    const register = async (use: string, device: object) =>
      succeed(own.post(`/me/devices/${use}-push-token`, device))
    await register('voip', { device_id: 'iphone', platform: 'ios', push_token: iphone.ring })
    await register('notification', { device_id: 'iphone', platform: 'ios', push_token: iphone.end })
    await register('voip', { device_id: app.deviceId, platform: 'android', push_token: pixel })
    await bench.leadsTo('connect_agent', { agent_id: anna.agent.id, timeout: ringTimeout })
    await bench.inState(anna, 'available')
  })
  after(async () => {
    await apps?.stop()
    await servers?.stop()
  })

  const atApns = async (token: string): Promise<ApnsRequest> => {
    const [taken] = await eventually(
      async () => Promise.resolve(servers.apns.taken(token)),
      ({ length }) => length > 0,
      {
        ...{ withinMs: 20_000, what: 'a push of APNs' },
      },
    )
    return taken!
  }
  const atFcm = async (event: string): Promise<FcmRequest> => {
    const messages = () => servers.fcm.taken(pixel).filter(({ message }) => message.data['event'] === event)
    const [taken] = await eventually(
      async () => Promise.resolve(messages()),
      ({ length }) => length > 0,
      {
        ...{ withinMs: 20_000, what: `${event} at FCM` },
      },
    )
    return taken!
  }

  /** Both devices ring, with what the call is. */
  async function bothRing(): Promise<Way> {
    const [atIphone, atPixel] = await Promise.all([atApns(iphone.ring), atFcm('call.ring')])
    const { aps, ...fields } = JSON.parse(atIphone.body) as Record<string, unknown>
    const { data } = atPixel.message
    expect(aps).to.deep.equal({})
    expect(Object.keys(fields)).to.deep.equal(Object.keys(data))
    expect(fields).to.include({
      event: 'call.ring',
      ring_timeout_secs: ringTimeout,
      caller_number: '+12125550123',
    })
    expect(fields).to.include({
      is_transfer: false,
      transfer_reason: null,
      is_video: false,
      caller_avatar: null,
    })
    expect(data).to.include({
      ring_timeout_secs: String(ringTimeout),
      is_transfer: 'false',
      caller_avatar: '',
    })
    expect(data['call_id']).to.equal(fields['call_id'])
    expect(data['ws_url']).to.equal(fields['ws_url'])
    expect(data['call_token'], 'each device has a token of its own').not.to.equal(fields['call_token'])
    const claims = Buffer.from(data['call_token']!.split('.')[1]!, 'base64url').toString()
    expect(JSON.parse(claims).credential, 'it ends with the log-in on the device').to.match(/^ses_/)
    expect(atIphone.headers['apns-topic']).to.equal(`${iosCredential.ios_bundle_id}.voip`)
    const lifetime = Number(atIphone.headers['apns-expiration']) - atIphone.at / 1000
    expect(lifetime).to.be.within(ringTimeout - 5, ringTimeout + 1)
    return data as unknown as Way
  }

  async function bothTold(call_id: string, reason: string): Promise<void> {
    const [atIphone, atPixel] = await Promise.all([atApns(iphone.end), atFcm('call.canceled')])
    const told = { event: 'call.canceled', call_id, reason }
    expect(JSON.parse(atIphone.body)).to.include(told)
    expect(atIphone.headers).to.include({
      'apns-push-type': 'background',
      'apns-topic': iosCredential.ios_bundle_id,
    })
    expect(atPixel.message.data).to.include(told)
    expect(atPixel.message.android).to.deep.equal({
      ...{ priority: 'high', ttl: '60s', restricted_package_name: androidCredential.android_package_name },
    })
  }

  it('ring the devices, and tell them when the caller gives up', async () => {
    const caller = await bench.call(callerHz)
    const { call_id } = await bothRing()
    await caller.heard(180)
    caller.phone.cancel(caller)
    await bothTold(call_id, 'caller_hangup')
    await bench.end()
  })

  it('tell the devices when the softphone answers', async () => {
    const before = anna.phone.incoming.length
    const caller = await bench.call(callerHz)
    const { call_id } = await bothRing()
    anna.phone.accept(await anna.phone.called(before))
    expect(await caller.answered()).to.equal(200)
    await bothTold(call_id, 'answered_elsewhere')
    await caller.hangUp()
    await bench.end()
    expect(servers.fcm.taken(pixel)).to.have.length(2)
  })

  it('tell the devices when the time is over', async () => {
    await bench.leadsTo('connect_agent', { agent_id: anna.agent.id, timeout: 5 })
    await bench.call(callerHz)
    const { data } = (await atFcm('call.ring')).message
    expect(data['ring_timeout_secs']).to.equal('5')
    await bothTold(data['call_id']!, 'timeout')
    expect((await bench.end()).outcome).to.equal('to:no_answer')
  })

  it('bring the call to an app that they wake: the others are told, and it when the call is over', async () => {
    const caller = await bench.call(callerHz)
    const way = await bothRing()
    await app.enter(way)
    await app.answer()
    expect(await caller.answered()).to.equal(200)
    await Promise.all([hearing(caller, app.hz, 'the caller hears the app'), app.page.hears([callerHz])])
    const told = JSON.parse((await atApns(iphone.end)).body) as Record<string, unknown>
    expect(told).to.include({ event: 'call.canceled', call_id: way.call_id, reason: 'answered_elsewhere' })
    await caller.hangUp()
    const ended = (await atFcm('call.ended')).message
    expect(ended.data).to.include({ call_id: way.call_id, reason: 'hangup' })
    await bench.end()
    const events = servers.fcm.taken(pixel).map(({ message }) => message.data['event'])
    expect(events, 'it is not told that somebody else has answered').to.deep.equal([
      'call.ring',
      'call.ended',
    ])
    expect(servers.apns.taken(iphone.end)).to.have.length(1)
  })

  it('do not tell an app that took the call by its stream that somebody else has it', async () => {
    const tablet = await apps.app(anna.agent, 1300)
    const own = bench.phones.api.with({ authorization: `Bearer ${tablet.accessToken}` })
    const token = newFcmToken()
    await succeed(
      own.post('/me/devices/voip-push-token', {
        ...{ device_id: tablet.deviceId, platform: 'android', push_token: token },
      }),
    )
    const caller = await bench.call(callerHz)
    const { call_id } = await bothRing()
    await tablet.pickUp()
    expect(await caller.answered()).to.equal(200)
    await bothTold(call_id, 'answered_elsewhere')
    await caller.hangUp()
    const events = () => servers.fcm.taken(token).map(({ message }) => message.data['event'])
    await eventually(
      async () => Promise.resolve(events()),
      (told) => told.includes('call.ended'),
      {
        what: 'call.ended at the tablet',
      },
    )
    expect(events()).to.deep.equal(['call.ring', 'call.ended'])
    await bench.end()
  })

  it('hold up no call while the services are gone', async () => {
    for (const token of [iphone.ring, iphone.end]) {
      servers.apns.order(token, ...Array.from({ length: 20 }, () => ({ status: 503, reason: 'Shutdown' })))
    }
    servers.fcm.order(pixel, ...Array.from({ length: 20 }, () => 'silence' as const))
    const before = anna.phone.incoming.length
    const caller = await bench.call(callerHz)
    anna.phone.accept(await anna.phone.called(before))
    expect(await caller.answered()).to.equal(200)
    await caller.hangUp()
    await bench.end()
  })
})
