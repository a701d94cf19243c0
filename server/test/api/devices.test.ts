import { expect } from 'chai'
import type { ApiClient } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { newApnsToken, newFcmToken } from '../support/push-bench.js'
import { query, tablesHolding } from './database.js'
import {
  type Person,
  clientToken,
  fieldsOf,
  keyRights,
  newPerson,
  startUnlimited,
  succeed,
} from './fixtures.js'

const voip = '/me/devices/voip-push-token'
const told = '/me/devices/notification-push-token'

describe('devices', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let person: Person
  let client: ApiClient
  before(async () => {
    appliance = await startUnlimited()
  })
  beforeEach(async () => {
    workspace = await appliance.workspace()
    person = await newPerson(workspace)
    client = as('user-1')
  })
  after(async () => appliance?.stop())

  function as(sub: string): ApiClient {
    return workspace.api.with({ authorization: `Bearer ${clientToken(workspace, { sub })}` })
  }
  const iphone = (changes: object = {}) => ({
    ...{ push_token: newApnsToken(), device_id: '6D92078A-8246-4BA4-AE5B-76104861E7DC', platform: 'ios' },
    ...changes,
  })
  const pixel = (changes: object = {}) => ({
    ...{ push_token: newFcmToken(), device_id: 'a1b2c3d4e5f60718', platform: 'android' },
    ...changes,
  })
  const devicesOf = async (api: ApiClient): Promise<any[]> => (await succeed(api.get('/me/devices'))).data
  const stateOf = async (id: string) => (await succeed(workspace.api.get(`/agents/${id}`))).state

  it('take both tokens of an app, and never show them', async () => {
    const about = { os_version: '18.1', app_version: '2.3 (77)', device_model: 'iPhone17,1' }
    const ring = iphone(about)
    const first = await succeed(person.api.post(voip, ring))
    expect(first).to.deep.equal({
      ...{ id: first.id, device_id: ring.device_id, platform: 'ios', api_key_sid: null },
      ...{ voip_push: true, notification_push: false, notification_push_provider: null, ...about },
      ...{ created_at: first.created_at, updated_at: first.created_at },
    })
    expect(first.id).to.match(/^dev_/)
    const end = iphone()
    const second = await succeed(person.api.post(told, end))
    const { updated_at } = second
    expect(second).to.deep.equal({
      ...{ ...first, notification_push: true, notification_push_provider: 'apns', updated_at },
    })
    expect(await devicesOf(person.api)).to.deep.equal([second])
    for (const { push_token } of [ring, end]) {
      expect(await tablesHolding(appliance, push_token)).to.have.length(1)
      expect(appliance.log).not.to.include(push_token)
    }
    expect(await succeed(person.api.delete(`/me/devices/${ring.device_id}`))).to.deep.equal(second)
    expect(await devicesOf(person.api)).to.deep.equal([])
    expect((await person.api.delete(`/me/devices/${ring.device_id}`)).status).to.equal(404)
  })

  it('are registered with the key of the client’s token', async () => {
    expect((await succeed(client.post(voip, pixel()))).api_key_sid).to.equal(workspace.sid)
    expect(fieldsOf(await client.post(voip, pixel({ api_key_sid: 'sid-1' })))).to.deep.equal(['api_key_sid'])
    const other = await appliance.workspace()
    for (const api_key_sid of ['sid-1', other.sid]) {
      expect(fieldsOf(await person.api.post(voip, pixel({ api_key_sid })))).to.deep.equal(['api_key_sid'])
    }
    const named = await succeed(person.api.post(voip, pixel({ api_key_sid: workspace.sid })))
    expect(named.api_key_sid).to.equal(workspace.sid)
  })

  it('check each field', async () => {
    const wrong = {
      push_token: ['', 'two words', 'x'.repeat(1_025), 'ü'],
      device_id: ['', 'two words', 'x'.repeat(129)],
      platform: ['windows', ''],
      os_version: ['x'.repeat(65), 'a\nb'],
    }
    for (const path of [voip, told]) {
      for (const [field, values] of Object.entries(wrong)) {
        for (const value of values) {
          expect(fieldsOf(await client.post(path, iphone({ [field]: value }))), value).to.deep.equal([field])
        }
      }
      expect(fieldsOf(await client.post(path, {}))).to.have.members(['push_token', 'device_id', 'platform'])
    }
    const provider = 'notification_push_provider'
    expect(fieldsOf(await client.post(told, pixel({ [provider]: 'apns' })))).to.deep.equal([provider])
    expect(fieldsOf(await client.post(told, iphone({ [provider]: 'gcm' })))).to.deep.equal([provider])
    const byFcm = { [provider]: 'fcm', push_token: newFcmToken() }
    expect((await succeed(client.post(told, iphone(byFcm))))[provider]).to.equal('fcm')
  })

  it('take tokens of ios that are not hexadecimal: test clients make them up', async () => {
    for (const path of [voip, told]) {
      for (const push_token of ['t', 'made-up', newFcmToken(), `${'0'.repeat(62)}/..`, 'x'.repeat(1_024)]) {
        expect((await client.post(path, iphone({ push_token }))).status, push_token).to.equal(200)
      }
    }
  })

  it('take the newer token of an app, and one of another platform in place of all', async () => {
    const device_id = 'one-and-the-same'
    const first = await succeed(client.post(voip, iphone({ device_id, app_version: '1.0' })))
    await succeed(client.post(told, iphone({ device_id })))
    const again = await succeed(client.post(voip, iphone({ device_id })))
    expect(again).to.include({
      id: first.id,
      created_at: first.created_at,
      app_version: '1.0',
      notification_push: true,
    })
    const moved = await succeed(client.post(voip, pixel({ device_id })))
    expect(moved).to.include({
      id: first.id,
      platform: 'android',
      app_version: null,
      notification_push: false,
    })
    expect(await devicesOf(client)).to.deep.equal([moved])
  })

  it('belong to whoever uses the phone now', async () => {
    const phone = pixel()
    const other = await newPerson(workspace)
    await succeed(person.api.post(voip, phone))
    await succeed(person.api.post(told, phone))
    expect(await stateOf(person.id)).to.equal('available')
    await succeed(other.api.post(told, phone))
    expect(await devicesOf(person.api)).to.deep.equal([])
    expect(await stateOf(person.id)).to.equal('offline')
    await succeed(other.api.post(voip, phone))
    expect(await stateOf(other.id)).to.equal('available')
    await succeed(client.post(voip, phone))
    expect(await devicesOf(other.api)).to.deep.equal([])
    // Another token of theirs stays.
    const two = { ring: iphone(), end: iphone() }
    await succeed(client.post(voip, two.ring))
    await succeed(client.post(told, two.end))
    await succeed(as('user-2').post(told, two.end))
    expect(
      (await devicesOf(client)).map((device) => [device.voip_push, device.notification_push]),
    ).to.deep.equal([
      [true, false],
      [true, false],
    ])
  })

  it('of one token that race end with one owner', async () => {
    const phone = pixel()
    const users = Array.from({ length: 8 }, (_, index) => as(`racer-${index}`))
    const answers = await Promise.all(users.map(async (user) => user.post(voip, phone)))
    expect(answers.map(({ status }) => status)).to.deep.equal(users.map(() => 200))
    const held = await Promise.all(users.map(devicesOf))
    expect(held.flat()).to.have.length(1)
    const same = await Promise.all(Array.from({ length: 8 }, async () => client.post(voip, pixel())))
    expect(same.map(({ status }) => status)).to.deep.equal(same.map(() => 200))
    expect(await devicesOf(client)).to.have.length(1)
  })

  it('are at most 20 of a person: the oldest makes room', async () => {
    for (let count = 1; count <= 21; count++)
      await succeed(client.post(voip, pixel({ device_id: `phone-${count}` })))
    const names = (await devicesOf(client)).map(({ device_id }) => device_id)
    expect(names).to.have.length(20)
    expect(names).not.to.include('phone-1')
  })

  it('are seen and deleted by nobody else', async () => {
    const { device_id } = await succeed(client.post(voip, pixel()))
    const others = [as('user-2'), person.api, (await newPerson(await appliance.workspace())).api]
    for (const other of others) {
      expect(await devicesOf(other)).to.deep.equal([])
      expect((await other.delete(`/me/devices/${device_id}`)).status).to.equal(404)
    }
    expect(await devicesOf(client)).to.have.length(1)
  })

  it('make an agent available while they hold a VoIP token', async () => {
    expect(await stateOf(person.id)).to.equal('offline')
    await succeed(person.api.post(told, pixel()))
    expect(await stateOf(person.id)).to.equal('offline')
    const { device_id } = await succeed(person.api.post(voip, pixel()))
    expect(await stateOf(person.id)).to.equal('available')
    await succeed(workspace.api.patch(`/agents/${person.id}`, { is_active: false }))
    expect(await stateOf(person.id)).to.equal('offline')
    await succeed(workspace.api.patch(`/agents/${person.id}`, { is_active: true }))
    const again = await newPerson(workspace)
    await succeed(again.api.post(voip, iphone()))
    await succeed(again.api.delete(`/me/devices/${iphone().device_id}`))
    expect(await stateOf(again.id)).to.equal('offline')
    expect(await stateOf(person.id)).to.equal('available')
    expect(device_id).to.equal(pixel().device_id)
  })

  it('go with their agent, their key and their workspace', async () => {
    const key = await succeed(workspace.api.post('/api-keys', keyRights))
    const token = clientToken(workspace, { sub: 'user-1', iss: key.sid }, key.secret)
    const ofKey = workspace.api.with({ authorization: `Bearer ${token}` })
    await succeed(ofKey.post(voip, pixel({ device_id: 'of-key' })))
    await succeed(client.post(voip, pixel({ device_id: 'of-workspace' })))
    await succeed(person.api.post(voip, pixel({ device_id: 'of-agent' })))
    const held = async () => {
      const sql = 'SELECT device_id FROM device_registrations WHERE workspace_id = ? ORDER BY device_id'
      return (await query(appliance, sql, [workspace.id])).map(({ device_id }) => device_id)
    }
    expect(await held()).to.deep.equal(['of-agent', 'of-key', 'of-workspace'])
    await succeed(workspace.api.delete(`/api-keys/${key.sid}`))
    expect(await held()).to.deep.equal(['of-agent', 'of-workspace'])
    await succeed(workspace.api.delete(`/agents/${person.id}`))
    expect(await held()).to.deep.equal(['of-workspace'])
    await succeed(appliance.operator.delete(`/workspaces/${workspace.id}`))
    expect(await held()).to.deep.equal([])
  })
})
