/** Clients whose devices are rung through APNs and FCM, each with the credential of the key that signs their tokens. */
import { expect } from 'chai'
import { clientToken, keyRights, succeed } from '../api/fixtures.js'
import { androidCredential, iosCredential, serviceAccount } from '../api/push-fixtures.js'
import { eventually } from '../support/api-client.js'
import { AppBench, type BrowserApp, type Way } from '../support/app-bench.js'
import { findChromium } from '../support/browser.js'
import { findFreeswitch } from '../support/freeswitch.js'
import {
  type PushServers,
  addPushCredentials,
  newApnsToken,
  newFcmToken,
  startPushServers,
} from '../support/push-bench.js'
import { TeamBench, hearing } from '../support/team-bench.js'

const callerHz = 440
const zoeHz = 900

describe('pushes to clients on the freeswitch', function () {
  this.timeout(90_000)
  let servers: PushServers
  let bench: TeamBench
  let apps: AppBench
  /** The key of another app of the same customer, for Android alone. */
  let second: { sid: string; secret: string }
  // New for each test, so that each sees its own pushes only.
  let iphone: { ring: string; end: string }
  let pixel: string
  let zoe: BrowserApp

  before(async function () {
    if (!findChromium() || !(await findFreeswitch())) this.skip()
    servers = await startPushServers()
    bench = await TeamBench.start({
      settings: { JACKFIELD_RATE_LIMITS_AUTH: '1000000', ...servers.settings },
    })
    apps = await AppBench.on(bench)
    const { api, sid } = bench.inbound.bench.workspace
    await addPushCredentials({ api, sid })
    second = await succeed(api.post('/api-keys', keyRights))
    const android_service_account = JSON.stringify({ ...serviceAccount, project_id: 'second-app' })
    await succeed(
      api.post('/push-credentials', {
        ...{ ...androidCredential, android_service_account, api_key_sid: second.sid },
        android_package_name: 'com.example.second',
      }),
    )
    zoe = await apps.client(tokenOf(second), zoeHz)
    await bench.leadsTo('connect_client', { sub: 'zoe', timeout: 20 })
  })
  beforeEach(async () => {
    const { workspace } = bench.inbound.bench
    iphone = { ring: newApnsToken(), end: newApnsToken() }
    pixel = newFcmToken()
    const register = async (key: { sid: string; secret: string }, use: string, device: object) =>
      succeed(
        workspace.api
          .with({ authorization: `Bearer ${tokenOf(key)}` })
          .post(`/me/devices/${use}-push-token`, device),
      )
    await register(workspace, 'voip', { device_id: 'iphone', platform: 'ios', push_token: iphone.ring })
    await register(workspace, 'notification', {
      device_id: 'iphone',
      platform: 'ios',
      push_token: iphone.end,
    })
    await register(second, 'voip', { device_id: zoe.deviceId, platform: 'android', push_token: pixel })
  })
  after(async () => {
    await apps?.stop()
    await servers?.stop()
  })

  const tokenOf = ({ sid, secret }: { sid: string; secret: string }) =>
    clientToken(bench.inbound.bench.workspace, { sub: 'zoe', iss: sid }, secret)
  const atApns = async (token: string) =>
    (
      await eventually(
        async () => Promise.resolve(servers.apns.taken(token)),
        ({ length }) => length > 0,
        { withinMs: 20_000, what: 'a push of APNs' },
      )
    )[0]!
  const atFcm = async (event: string) =>
    (
      await eventually(
        async () =>
          Promise.resolve(servers.fcm.taken(pixel).filter(({ message }) => message.data['event'] === event)),
        ({ length }) => length > 0,
        { withinMs: 20_000, what: `${event} at FCM` },
      )
    )[0]!
  const credentialOf = (callToken: string) =>
    (JSON.parse(Buffer.from(callToken.split('.')[1]!, 'base64url').toString()) as { credential: string })
      .credential

  async function bothRing(): Promise<Way> {
    const [atIphone, atPixel] = await Promise.all([atApns(iphone.ring), atFcm('call.ring')])
    const fields = JSON.parse(atIphone.body) as Record<string, string>
    const { data, android } = atPixel.message
    expect(fields).to.include({ event: 'call.ring', caller_number: '+12125550123', is_transfer: false })
    expect(fields).to.include({ callee_number: bench.inbound.number, callee_name: 'Main' })
    expect(atIphone.headers['apns-topic']).to.equal(`${iosCredential.ios_bundle_id}.voip`)
    expect(credentialOf(fields['call_token']!)).to.equal(bench.inbound.bench.workspace.sid)
    expect(atPixel.project).to.equal('second-app')
    expect(android!.restricted_package_name).to.equal('com.example.second')
    expect(credentialOf(data['call_token']!)).to.equal(second.sid)
    return data as unknown as Way
  }
  async function toldOnIphone(call_id: string, reason: string): Promise<void> {
    const told = JSON.parse((await atApns(iphone.end)).body) as object
    expect(told).to.include({ event: 'call.canceled', call_id, reason })
  }

  it('wake an app that runs nowhere, which hears and is heard; the other device is told', async () => {
    const caller = await bench.call(callerHz)
    const way = await bothRing()
    await zoe.enter(way)
    await zoe.answer()
    expect(await caller.answered()).to.equal(200)
    await Promise.all([hearing(caller, zoe.hz, 'the caller hears the client'), zoe.page.hears([callerHz])])
    await toldOnIphone(way.call_id, 'answered_elsewhere')
    await zoe.say('call.hangup')
    expect(await caller.over()).to.equal('BYE')
    expect((await atFcm('call.ended')).message.data).to.include({ call_id: way.call_id, reason: 'hangup' })
    const events = servers.fcm.taken(pixel).map(({ message }) => message.data['event'])
    expect(events, 'not told that somebody else has answered').to.deep.equal(['call.ring', 'call.ended'])
    await bench.end()
  })

  it('tell the devices when the caller gives up', async () => {
    const first = await bench.call(callerHz)
    const { call_id } = await bothRing()
    first.phone.cancel(first)
    await toldOnIphone(call_id, 'caller_hangup')
    expect((await atFcm('call.canceled')).message.data).to.include({ call_id, reason: 'caller_hangup' })
    await bench.end()
  })

  it('tell the devices when the call’s token rejects it', async () => {
    const caller = await bench.call(callerHz)
    const { call_id, call_token } = await bothRing()
    const own = bench.phones.api.with({ authorization: `Bearer ${call_token}` })
    await succeed(own.post(`/call-center/calls/${call_id}/reject`, {}))
    expect(await caller.answered()).to.equal(486)
    await toldOnIphone(call_id, 'rejected')
    expect((await bench.end()).outcome).to.equal('to:busy')
  })

  it('do not tell an app that took the call by its stream, where that names its device', async () => {
    await zoe.listen()
    const caller = await bench.call(callerHz)
    const { call_id } = await bothRing()
    await zoe.pickUp()
    expect(await caller.answered()).to.equal(200)
    await toldOnIphone(call_id, 'answered_elsewhere')
    await caller.hangUp()
    await atFcm('call.ended')
    const events = servers.fcm.taken(pixel).map(({ message }) => message.data['event'])
    expect(events).to.deep.equal(['call.ring', 'call.ended'])
    await bench.end()
  })
})
