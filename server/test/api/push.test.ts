import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { RingingCall } from '../../src/features/push/payloads.js'
import type { PushedRing } from '../../src/features/push/pushed-ring.js'
import type { PushService } from '../../src/features/push/push.service.js'
import { type ApiClient, eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import {
  type PushServers,
  addPushCredentials,
  newApnsToken,
  newFcmToken,
  pushServiceOf,
  startPushServers,
} from '../support/push-bench.js'
import { clientToken, keyRights, newPerson, startUnlimited, succeed } from './fixtures.js'
import { androidCredential, iosCredential, newPrivateKey, serviceAccount } from './push-fixtures.js'

const secretKey = randomBytes(32)

describe('pushes', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let servers: PushServers
  let workspace: TestWorkspace
  let push: PushService
  let stopPush: () => Promise<void>
  before(async () => {
    servers = await startPushServers()
    appliance = await startUnlimited({
      JACKFIELD_SECRET_KEY: secretKey.toString('base64'),
      ...servers.settings,
    })
    const service = await pushServiceOf(appliance, secretKey, servers)
    push = service.push
    stopPush = service.stop
  })
  beforeEach(async () => {
    workspace = await appliance.workspace()
  })
  after(async () => {
    await stopPush?.()
    await appliance?.stop()
    await servers?.stop()
  })

  const as = (sub: string, of: TestWorkspace = workspace): ApiClient =>
    of.api.with({ authorization: `Bearer ${clientToken(of, { sub })}` })

  async function iosDevice(person: ApiClient, more: object = {}) {
    const voip = newApnsToken()
    const told = newApnsToken()
    const device = { device_id: `iphone-${voip.slice(0, 8)}`, platform: 'ios', ...more }
    await succeed(person.post('/me/devices/voip-push-token', { ...device, push_token: voip }))
    const made = await succeed(
      person.post('/me/devices/notification-push-token', { ...device, push_token: told }),
    )
    return { id: made.id as string, device_id: device.device_id, voip, told }
  }

  async function androidDevice(person: ApiClient, more: object = {}) {
    const token = newFcmToken()
    const device = {
      device_id: `pixel-${token.slice(0, 8)}`,
      platform: 'android',
      push_token: token,
      ...more,
    }
    const { id, device_id } = await succeed(person.post('/me/devices/voip-push-token', device))
    return { id: id as string, device_id: device_id as string, token }
  }

  const callOf = (more: Partial<RingingCall> = {}): RingingCall => ({
    workspace_id: workspace.id,
    call_id: 'call_1',
    ws_url: 'wss://acme.example.com/api/v1/call-session',
    ring_timeout_secs: 30,
    caller: { number: '+12025550142', name: 'Zoë 🐙', avatar: null },
    callee: { number: '+12025550100', name: null },
    ...{ is_transfer: false, transfer_reason: null, is_video: false },
    ...more,
  })

  const ring = (
    person: { kind: 'agent' | 'client'; sub: string },
    call: RingingCall = callOf(),
  ): PushedRing =>
    push.ring(
      { ...person, workspace_id: workspace.id },
      { call, mintToken: ({ id, device_id }) => `token of ${id} ${device_id}` },
    )
  const client = (sub: string) => ({ kind: 'client' as const, sub })

  const ofApns = async (token: string, count = 1) =>
    eventually(
      async () => servers.apns.taken(token),
      (taken) => taken.length >= count,
      {
        withinMs: 15_000,
        what: `${count} pushes of APNs`,
      },
    )
  const ofFcm = async (token: string, count = 1) =>
    eventually(
      async () => servers.fcm.taken(token),
      (taken) => taken.length >= count,
      {
        withinMs: 15_000,
        what: `${count} messages of FCM`,
      },
    )

  it('are tried by asking the service whether it takes the credential', async () => {
    const { ios, android } = await addPushCredentials(workspace)
    const tested = async (id: string) => succeed(workspace.api.post(`/push-credentials/${id}/test`))
    expect(await tested(ios)).to.deep.equal({ result: 'accepted', reason: null })
    expect(await tested(android)).to.deep.equal({ result: 'accepted', reason: null })
    const unknown = { ios_private_key: newPrivateKey('p256') }
    await succeed(workspace.api.patch(`/push-credentials/${ios}`, unknown))
    expect(await tested(ios)).to.deep.equal({ result: 'refused', reason: 'InvalidProviderToken' })
    const shown = await succeed(workspace.api.get(`/push-credentials/${ios}`))
    expect(shown.last_error).to.equal('InvalidProviderToken')
  })

  it('ring an iPhone by a VoIP push, and tell it of the end in the background', async () => {
    await addPushCredentials(workspace)
    const phone = await iosDevice(as('user-1'))
    const startedAt = Date.now()
    const ringing = ring(client('user-1'))
    const [rang] = await ofApns(phone.voip)
    expect(JSON.parse(rang!.body)).to.deep.equal({
      aps: {},
      ...{ event: 'call.ring', workspace_id: workspace.id, call_id: 'call_1' },
      call_token: `token of ${phone.id} ${phone.device_id}`,
      ...{ ws_url: 'wss://acme.example.com/api/v1/call-session', ring_timeout_secs: 30 },
      ...{ caller_number: '+12025550142', caller_name: 'Zoë 🐙', caller_avatar: null },
      ...{ callee_number: '+12025550100', callee_name: '' },
      ...{ is_transfer: false, transfer_reason: null, is_video: false },
    })
    const { ':path': path, authorization, ...headers } = rang!.headers
    expect(path).to.equal(`/3/device/${phone.voip}`)
    expect(authorization).to.match(/^bearer /)
    expect(headers).to.include({
      ...{ ':method': 'POST', ':scheme': 'https', 'apns-topic': `${iosCredential.ios_bundle_id}.voip` },
      ...{ 'apns-push-type': 'voip', 'apns-priority': '10' },
    })
    const expiration = Number(rang!.headers['apns-expiration'])
    expect(expiration).to.be.within(startedAt / 1000 + 30, Date.now() / 1000 + 31)

    ringing.cancel('caller_hangup')
    const [told] = await ofApns(phone.told)
    const { timestamp, ...fields } = JSON.parse(told!.body)
    expect(fields).to.deep.equal({
      aps: { 'content-available': 1 },
      ...{ event: 'call.canceled', workspace_id: workspace.id, call_id: 'call_1', reason: 'caller_hangup' },
    })
    expect(new Date(timestamp).toISOString()).to.equal(timestamp)
    expect(told!.headers).to.include({
      ...{ 'apns-topic': iosCredential.ios_bundle_id, 'apns-push-type': 'background', 'apns-priority': '5' },
    })
    expect(servers.apns.taken(phone.voip)).to.have.length(1)
  })

  it('ring an Android phone by a data message in which every value is text', async () => {
    await addPushCredentials(workspace)
    const phone = await androidDevice(as('user-1'))
    const ringing = ring(
      client('user-1'),
      callOf({ is_transfer: true, transfer_reason: 'Billing', is_video: true }),
    )
    const [rang] = await ofFcm(phone.token)
    expect(rang!.project).to.equal(serviceAccount.project_id)
    expect(rang!.message.data).to.deep.equal({
      ...{ event: 'call.ring', workspace_id: workspace.id, call_id: 'call_1' },
      call_token: `token of ${phone.id} ${phone.device_id}`,
      ...{ ws_url: 'wss://acme.example.com/api/v1/call-session', ring_timeout_secs: '30' },
      ...{ caller_number: '+12025550142', caller_name: 'Zoë 🐙', caller_avatar: '' },
      ...{ callee_number: '+12025550100', callee_name: '' },
      ...{ is_transfer: 'true', transfer_reason: 'Billing', is_video: 'true' },
    })
    expect(rang!.message.android!.priority).to.equal('high')
    expect(Number.parseInt(rang!.message.android!.ttl!, 10)).to.be.within(20, 30)
    expect(rang!.message).to.have.all.keys('token', 'data', 'android')

    ringing.cancel('timeout')
    const [, told] = await ofFcm(phone.token, 2)
    const { timestamp, ...fields } = told!.message.data
    expect(fields).to.deep.equal({
      ...{ event: 'call.canceled', workspace_id: workspace.id, call_id: 'call_1', reason: 'timeout' },
    })
    expect(new Date(timestamp!).toISOString()).to.equal(timestamp)
    expect(told!.message.android).to.deep.equal({
      ...{ priority: 'high', ttl: '60s', restricted_package_name: androidCredential.android_package_name },
    })
  })

  it('reach the app of the credential’s package alone, and every app where it names none', async () => {
    const { android } = await addPushCredentials(workspace)
    const user = as('user-1')
    const phone = await androidDevice(user)
    const wrongPackage = 'The registration token is not of the package com.example.app'
    servers.fcm.order(phone.token, { status: 400, errorCode: 'INVALID_ARGUMENT', message: wrongPackage })
    ring(client('user-1'))
    const path = `/push-credentials/${android}`
    const refused = await eventually(
      async () => succeed(workspace.api.get(path)),
      ({ last_error }) => last_error !== null,
      { withinMs: 15_000, what: 'an error of the credential' },
    )
    expect(refused.last_error).to.equal(`invalid-argument: ${wrongPackage}`)
    const { data } = await succeed(user.get('/me/devices'))
    expect(data, 'the token is not taken for a dead one').to.have.length(1)
    await succeed(workspace.api.patch(path, { android_package_name: 'com.example.other' }))
    ring(client('user-1'))
    const [taken] = await ofFcm(phone.token)
    expect(taken!.message.android!.restricted_package_name).to.equal('com.example.other')
    await succeed(workspace.api.delete(path))
    const { android_package_name: _, ...unnamed } = androidCredential
    await succeed(workspace.api.post('/push-credentials', { ...unnamed, api_key_sid: workspace.sid }))
    ring(client('user-1'))
    const [, free] = await ofFcm(phone.token, 2)
    expect(free!.message.android).to.have.all.keys('priority', 'ttl')
  })

  it('tell the devices that did not answer, and later the one that did', async () => {
    await addPushCredentials(workspace)
    const user = as('user-1')
    const [iphone, pixel] = [await iosDevice(user), await androidDevice(user)]
    const ringing = ring(client('user-1'))
    await Promise.all([ofApns(iphone.voip), ofFcm(pixel.token)])
    ringing.cancel('answered_elsewhere', pixel.id)
    const [told] = await ofApns(iphone.told)
    expect(JSON.parse(told!.body)).to.include({ event: 'call.canceled', reason: 'answered_elsewhere' })
    ringing.ended('hangup')
    const [, ended] = await ofFcm(pixel.token, 2)
    expect(ended!.message.data).to.include({ event: 'call.ended', reason: 'hangup' })
    ringing.ended('hangup')
    ringing.cancel('timeout')
    await push.settled()
    expect(servers.apns.taken(iphone.told)).to.have.length(1)
    expect(servers.fcm.taken(pixel.token)).to.have.length(2)
  })

  it('tell an iPhone through FCM whose notification token is of FCM', async () => {
    await addPushCredentials(workspace)
    const user = as('user-1')
    const phone = await iosDevice(user)
    const token = newFcmToken()
    await succeed(
      user.post('/me/devices/notification-push-token', {
        ...{
          device_id: phone.device_id,
          platform: 'ios',
          push_token: token,
          notification_push_provider: 'fcm',
        },
      }),
    )
    const ringing = ring(client('user-1'))
    await ofApns(phone.voip)
    ringing.cancel('caller_hangup')
    const [told] = await ofFcm(token)
    expect(told!.message.data).to.include({ event: 'call.canceled', reason: 'caller_hangup' })
    expect(told!.message.apns).to.deep.equal({
      headers: { 'apns-push-type': 'background', 'apns-priority': '5' },
      payload: { aps: { 'content-available': 1 } },
    })
    expect(servers.apns.taken(phone.told)).to.deep.equal([])
  })

  it('go out with the credential of the client’s own key, and an agent’s with the newest of the workspace', async () => {
    await addPushCredentials(workspace)
    const second = await succeed(workspace.api.post('/api-keys', keyRights))
    const project_id = 'second-app'
    const android_service_account = JSON.stringify({ ...serviceAccount, project_id })
    await succeed(
      workspace.api.post('/push-credentials', {
        ...{ ...androidCredential, android_service_account, api_key_sid: second.sid },
      }),
    )
    const ofSecond = clientToken(workspace, { sub: 'user-1', iss: second.sid }, second.secret)
    const [one, other] = [
      await androidDevice(as('user-1')),
      await androidDevice(workspace.api.with({ authorization: `Bearer ${ofSecond}` })),
    ]
    ring(client('user-1'))
    expect((await ofFcm(one.token))[0]!.project).to.equal(serviceAccount.project_id)
    expect((await ofFcm(other.token))[0]!.project).to.equal(project_id)

    const person = await newPerson(workspace)
    const newest = await androidDevice(person.api)
    const named = await androidDevice(person.api, { api_key_sid: workspace.sid })
    ring({ kind: 'agent', sub: person.id })
    expect((await ofFcm(newest.token))[0]!.project).to.equal(project_id)
    expect((await ofFcm(named.token))[0]!.project).to.equal(serviceAccount.project_id)
  })

  it('reach nobody of another workspace, and no device without a credential', async () => {
    const other = await appliance.workspace()
    await addPushCredentials(other)
    const [foreign, own] = [await androidDevice(as('user-1', other)), await androidDevice(as('user-1'))]
    const ringing = ring(client('user-1'))
    await push.settled()
    ringing.cancel('caller_hangup')
    await push.settled()
    const tokens = servers.fcm.requests.map(({ message }) => message.token)
    expect(tokens).not.to.include(foreign.token).and.not.to.include(own.token)
    push.ring({ ...client('user-1'), workspace_id: other.id }, { call: callOf(), mintToken: () => 'token' })
    await ofFcm(foreign.token)
  })

  it('are not sent to a token any more that its service knows no more', async () => {
    await addPushCredentials(workspace)
    const user = as('user-1')
    const [gone, unknown, pixel] = [await iosDevice(user), await iosDevice(user), await androidDevice(user)]
    servers.apns.order(gone.voip, { status: 410, reason: 'Unregistered' })
    servers.apns.order(unknown.voip, { status: 400, reason: 'BadDeviceToken' })
    servers.fcm.order(pixel.token, { status: 404, errorCode: 'UNREGISTERED' })
    const ringing = ring(client('user-1'))
    const shown = await eventually(
      async () =>
        (await succeed(user.get('/me/devices'))).data as { device_id: string; voip_push: boolean }[],
      (devices) => devices.every(({ voip_push }) => !voip_push),
      { withinMs: 15_000, what: 'devices without their dead tokens' },
    )
    // They can still be told, and the Android phone had one token for both.
    expect(shown.map(({ device_id }) => device_id)).to.have.members([gone.device_id, unknown.device_id])
    ringing.cancel('caller_hangup')
    await push.settled()
    // Whom no ring has reached, nothing is told.
    expect(servers.apns.taken(gone.told)).to.deep.equal([])
    expect(servers.fcm.taken(pixel.token)).to.deep.equal([])
    for (const { voip } of [gone, unknown]) {
      expect(servers.apns.requests.filter(({ token }) => token === voip)).to.have.length(1)
    }
  })

  it('are sent to tokens that an app has made up, which Apple calls dead', async () => {
    await addPushCredentials(workspace)
    const user = as('user-1')
    const madeUp = ['test-token-1', `${'0'.repeat(62)}/..`, '..', 'a?b#c%2e']
    for (const [index, push_token] of madeUp.entries()) {
      const device = { device_id: `simulator-${index}`, platform: 'ios', push_token }
      await succeed(user.post('/me/devices/voip-push-token', device))
    }
    ring(client('user-1'))
    await eventually(
      async () => (await succeed(user.get('/me/devices'))).data as unknown[],
      (devices) => devices.length === 0,
      { withinMs: 15_000, what: 'devices without their dead tokens' },
    )
    const asked = servers.apns.requests.filter(({ token }) => madeUp.includes(token))
    expect(asked.map(({ token, status }) => `${token} ${status}`)).to.have.members(
      madeUp.map((token) => `${token} 400`),
    )
  })

  it('are tried again while the call rings', async () => {
    await addPushCredentials(workspace)
    const user = as('user-1')
    const [iphone, other, pixel] = [await iosDevice(user), await iosDevice(user), await androidDevice(user)]
    servers.apns.order(
      iphone.voip,
      { status: 503, reason: 'ServiceUnavailable' },
      { status: 500, reason: 'InternalServerError' },
    )
    servers.apns.order(other.voip, { status: 429, reason: 'TooManyRequests' }, 'reset')
    servers.fcm.order(
      pixel.token,
      { status: 503, errorCode: 'UNAVAILABLE', retryAfter: 1 },
      { status: 500, errorCode: 'INTERNAL' },
      { status: 429, errorCode: 'QUOTA_EXCEEDED' },
    )
    const ringing = ring(client('user-1'))
    await Promise.all([ofApns(iphone.voip), ofApns(other.voip), ofFcm(pixel.token)])
    const tries = (token: string) => servers.apns.requests.filter((request) => request.token === token)
    expect(tries(iphone.voip)).to.have.length(3)
    expect(tries(other.voip)).to.have.length(3)
    const ofPixel = servers.fcm.requests.filter(({ message }) => message.token === pixel.token)
    expect(ofPixel.map(({ status }) => status)).to.deep.equal([503, 500, 429, 200])
    ringing.cancel('caller_hangup')
    await push.settled()
  })

  it('are not tried when the ring time is over, nor when the call rings no more', async () => {
    await addPushCredentials(workspace)
    const [short, canceled] = [as('short'), as('canceled')]
    const [iphone, pixel] = [await iosDevice(short), await androidDevice(short)]
    const [iphone2, pixel2] = [await iosDevice(canceled), await androidDevice(canceled)]
    for (const { voip } of [iphone, iphone2]) {
      servers.apns.order(voip, ...Array.from({ length: 50 }, () => ({ status: 503, reason: 'Shutdown' })))
    }
    for (const { token } of [pixel, pixel2]) {
      servers.fcm.order(
        token,
        ...Array.from({ length: 6 }, () => ({ status: 503, errorCode: 'UNAVAILABLE' })),
      )
    }
    const tokens = [iphone.voip, iphone2.voip, pixel.token, pixel2.token]
    const tries = () => [
      ...servers.apns.requests.filter(({ token }) => tokens.includes(token)),
      ...servers.fcm.requests.filter(
        ({ message, status }) => tokens.includes(message.token) && status === 503,
      ),
    ]
    const startedAt = Date.now()
    ring(client('short'), callOf({ ring_timeout_secs: 2 }))
    const ringing = ring(client('canceled'))
    await eventually(
      async () => tries().length,
      (count) => count >= 8,
      { withinMs: 10_000, what: 'tries' },
    )
    ringing.cancel('caller_hangup')
    await push.settled()
    const made = tries()
    expect(Math.max(...made.map(({ at }) => at)) - startedAt).to.be.below(10_000)
    await sleep(1_500)
    expect(tries()).to.have.length(made.length)
    // They may have been reached, for all we know: so they are told.
    expect(servers.apns.taken(iphone2.told)).to.have.length(1)
  })

  it('do not wait for a service that is silent, nor for a connection that is dead', async () => {
    await addPushCredentials(workspace)
    const user = as('user-1')
    const [iphone, pixel] = [await iosDevice(user), await androidDevice(user)]
    servers.apns.order(iphone.voip, 'silence')
    servers.fcm.order(pixel.token, 'silence')
    const ringing = ring(client('user-1'))
    await eventually(
      async () => [servers.apns.requests, servers.fcm.requests.map(({ message }) => message)].flat(),
      (asked) => [iphone.voip, pixel.token].every((token) => asked.some((one) => one.token === token)),
      { withinMs: 10_000, what: 'both asked' },
    )
    const connections = servers.apns.connections
    await Promise.all([ofApns(iphone.voip), ofFcm(pixel.token)])
    expect(servers.apns.connections).to.be.greaterThan(connections)
    ringing.cancel('timeout')
    servers.apns.cut()
    await ofApns(iphone.told)
  })

  it('use new key material from the next push on, and say what is wrong with the old', async () => {
    const { ios, android } = await addPushCredentials(workspace)
    const user = as('user-1')
    const [iphone, pixel] = [await iosDevice(user), await androidDevice(user)]
    const wrong = {
      p8: newPrivateKey('p256'),
      account: { ...serviceAccount, private_key: newPrivateKey('rsa') },
    }
    const errors = async () =>
      Promise.all(
        [ios, android].map(
          async (id) => (await succeed(workspace.api.get(`/push-credentials/${id}`))).last_error,
        ),
      )
    await succeed(workspace.api.patch(`/push-credentials/${ios}`, { ios_private_key: wrong.p8 }))
    await succeed(
      workspace.api.patch(`/push-credentials/${android}`, {
        android_service_account: JSON.stringify(wrong.account),
      }),
    )
    ring(client('user-1'))
    await eventually(errors, (found) => found.every((one) => one !== null), {
      withinMs: 15_000,
      what: 'errors',
    })
    expect(await errors()).to.deep.equal([
      'InvalidProviderToken',
      'Google gives no access token: invalid_grant: Invalid JWT Signature.',
    ])
    expect(servers.apns.requests.filter(({ token }) => token === iphone.voip)).to.have.length(1)

    await succeed(
      workspace.api.patch(`/push-credentials/${ios}`, { ios_private_key: iosCredential.ios_private_key }),
    )
    await succeed(
      workspace.api.patch(`/push-credentials/${android}`, {
        android_service_account: androidCredential.android_service_account,
      }),
    )
    expect(await errors()).to.deep.equal([null, null])
    ring(client('user-1'))
    await Promise.all([ofApns(iphone.voip), ofFcm(pixel.token)])
    servers.fcm.revokeTokens()
    ring(client('user-1'))
    await ofFcm(pixel.token, 2)
    expect(await errors()).to.deep.equal([null, null])
  })

  it('fit into what the services take, however long the names are', async () => {
    await addPushCredentials(workspace)
    const user = as('user-1')
    const [iphone, pixel] = [await iosDevice(user), await androidDevice(user)]
    const long = '🐙'.repeat(2_000)
    const caller = { number: '+12025550142', name: long, avatar: `https://example.com/${'a'.repeat(2_000)}` }
    ring(
      client('user-1'),
      callOf({ caller, callee: { number: '100', name: long }, transfer_reason: long, is_transfer: true }),
    )
    const [rang] = await ofApns(iphone.voip)
    expect(Buffer.byteLength(rang!.body)).to.be.below(4_096)
    const fields = JSON.parse(rang!.body)
    expect(fields.caller_name).to.equal('🐙'.repeat(128))
    expect(fields.caller_avatar).to.equal(null)
    const [message] = await ofFcm(pixel.token)
    expect(Buffer.byteLength(JSON.stringify(message!.message.data))).to.be.below(4_000)
  })

  it('ring the people of a large team at once', async () => {
    await addPushCredentials(workspace)
    const people = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => ({
        sub: `many-${index}`,
        ...(await androidDevice(as(`many-${index}`))),
      })),
    )
    const rings = people.map(({ sub }) => ring(client(sub)))
    await Promise.all(people.map(async ({ token }) => ofFcm(token)))
    for (const one of rings) one.cancel('answered_elsewhere')
    await Promise.all(people.map(async ({ token }) => ofFcm(token, 2)))
  })
})
