import { expect } from 'chai'
import type { ApiClient } from '../support/api-client.js'
import type { Appliance } from '../support/appliance.js'
import { query } from './database.js'
import { fieldsOf, newVoiceAgent, startUnlimited, succeed } from './fixtures.js'

describe('versions of voice agents', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let api: ApiClient
  let id: string
  let path: string
  before(async () => {
    appliance = await startUnlimited()
  })
  beforeEach(async () => {
    api = (await appliance.workspace()).api
    id = await newVoiceAgent(api)
    path = `/voice-agents/${id}`
  })
  after(async () => appliance?.stop())

  const add = async (): Promise<number> => (await succeed(api.post(`${path}/version`))).version
  const addUpTo = async (version: number) => {
    while ((await add()) < version);
  }
  const publish = async (version: unknown) => api.patch(`${path}/publish`, { version })
  const configure = async (settings: object) => api.patch(`${path}/settings`, { version: 1, ...settings })
  const numbers = async (): Promise<number[]> =>
    (await succeed(api.get(`${path}/versions`))).data.map(({ version }: { version: number }) => version)
  const published = async (): Promise<number> => (await succeed(api.get(path))).published_version

  it('are clones of the published one', async () => {
    const { settings: first } = await succeed(configure({ instructions: 'Answer in rhymes, please.' }))
    const made = await succeed(api.post(`${path}/version`))
    expect(made).to.have.all.keys('version', 'updated_at')
    expect(made.version).to.equal(2)
    const { settings: second, published_version } = await succeed(api.get(path))
    expect(published_version).to.equal(1)
    const own = { id: second.id, created_at: made.updated_at, updated_at: made.updated_at }
    expect(second).to.deep.equal({ ...first, ...own, version: 2 })
    expect(second.id).not.to.equal(first.id)

    await succeed(configure({ version: 2, greeting_message: 'Version two' }))
    await add()
    const { settings: third } = await succeed(api.get(path))
    expect(third).to.include({ version: 3, greeting_message: first.greeting_message })
    await succeed(publish(2))
    await add()
    expect((await succeed(api.get(path))).settings).to.include({
      version: 4,
      greeting_message: 'Version two',
    })
  })

  it('are shown one at a time, the latest by default', async () => {
    await add()
    await succeed(configure({ version: 2, greeting_message: 'Two' }))
    expect((await succeed(api.get(path))).settings.version).to.equal(2)
    expect((await succeed(api.get(`${path}?version=1`))).settings.version).to.equal(1)
    expect((await succeed(api.get(`${path}?version=2`))).settings.greeting_message).to.equal('Two')
    expect((await api.get(`${path}?version=3`)).status).to.equal(404)
    for (const version of ['0', '-1', 'x', '1.5', '']) {
      expect(fieldsOf(await api.get(`${path}?version=${version}`)), version).to.deep.equal(['version'])
    }
    const listed = await succeed(api.get(`${path}/versions`))
    expect(listed.data.map((one: object) => Object.keys(one))).to.deep.equal([
      ['version', 'updated_at'],
      ['version', 'updated_at'],
    ])
    expect(await numbers()).to.deep.equal([2, 1])
    expect((await succeed(api.get(`${path}/versions?limit=1&page=2`))).data[0].version).to.equal(1)
  })

  it('are published and, but for the published one, deleted; numbers are not used again', async () => {
    await addUpTo(3)
    const result = await succeed(publish(3))
    expect(result).to.deep.include({ id, published_version: 3 })
    expect(result.settings.version).to.equal(3)
    const refused = await api.delete(`${path}/version/3`)
    expect(refused.status).to.equal(400)
    expect(refused.body.message).to.include('published')
    await succeed(publish(1))
    const removed = await succeed(api.delete(`${path}/version/3`))
    expect(removed).to.have.all.keys('version', 'updated_at')
    expect(removed.version).to.equal(3)
    expect((await api.delete(`${path}/version/3`)).status).to.equal(404)
    expect(await numbers()).to.deep.equal([2, 1])
    expect(await add()).to.equal(4)
    for (const version of [0, 99, '1', null, 1.5]) {
      expect(fieldsOf(await publish(version)), String(version)).to.deep.equal(['version'])
    }
    const actions = await query(
      appliance,
      'SELECT action, changes FROM audit_log WHERE target_id = ? ORDER BY id',
      [id],
    )
    expect(actions.slice(1)).to.deep.equal([
      { action: 'voice_agent.update', changes: { published_version: { from: 1, to: 3 } } },
      { action: 'voice_agent.update', changes: { published_version: { from: 3, to: 1 } } },
    ])
  })

  it('are kept twenty at a time, the published one among them', async () => {
    await addUpTo(20)
    expect(await numbers()).to.have.length(20)
    expect(await add()).to.equal(21)
    expect(await numbers()).to.deep.equal([...Array.from({ length: 19 }, (_, index) => 21 - index), 1])
    await succeed(publish(10))
    expect(await add()).to.equal(22)
    expect(await numbers()).to.deep.equal(Array.from({ length: 20 }, (_, index) => 22 - index))
    await addUpTo(41)
    const kept = await numbers()
    expect(kept).to.have.length(20)
    expect(kept.at(-1)).to.equal(10)
    expect(kept.slice(0, -1)).to.deep.equal(Array.from({ length: 19 }, (_, index) => 41 - index))
  })

  it('are not made while none is published', async () => {
    await query(appliance, 'UPDATE voice_agents SET published_version = NULL WHERE id = ?', [id])
    const refused = await api.post(`${path}/version`)
    expect(refused.status).to.equal(400)
    expect(refused.body.message).to.include('publish one first')
    expect(await published()).to.equal(null)
    await succeed(publish(1))
    expect(await add()).to.equal(2)
  })

  it('take each setting within its bounds, the published version included', async () => {
    const accepted = {
      greeting_message: ['', 'x'.repeat(250), 'two\nlines'],
      instructions: ['x'.repeat(10), 'x'.repeat(3500)],
      model_id: ['m', 'm'.repeat(100)],
      voice_id: ['v', 'v'.repeat(100), null],
      temperature: [0, 0.75, 2],
      enable_noise_reduction: [false, true],
      turn_detection: ['server_vad', 'semantic_vad', null],
      turn_eagerness: ['low', 'medium', 'high', 'auto', null],
      turn_threshold: [0, 0.35, 1, null],
      turn_silence_ms: [200, 5000, null],
      interruption_ms: [0, 5000, null],
      ignore_backchannels: [false, true],
      language: ['de', 'pt-BR', 'zh-Hant-TW', null],
      enable_dtmf: [false, true],
      tool_delay_message: ['', 'Un moment…', 'x'.repeat(250), null],
      max_call_duration_seconds: [0, 1800],
    }
    for (const [field, values] of Object.entries(accepted)) {
      for (const value of values) {
        const { settings } = await succeed(configure({ [field]: value }))
        expect(settings).to.deep.include({ [field]: value, version: 1 })
        expect((await succeed(api.get(path))).settings).to.deep.equal(settings)
      }
    }
    const refused = {
      greeting_message: ['x'.repeat(251)],
      instructions: ['x'.repeat(9), 'x'.repeat(3501)],
      model_id: ['', 'm'.repeat(101)],
      voice_id: ['', 'v'.repeat(101), 1],
      enable_noise_reduction: ['true'],
      turn_detection: ['none', '', 1],
      turn_eagerness: ['eager', 2],
      turn_threshold: [-0.01, 1.01, 0.123, '0.5'],
      turn_silence_ms: [199, 5001, 300.5, '300'],
      interruption_ms: [-1, 5001, 0.5],
      ignore_backchannels: ['true', 1],
      language: ['', 'german', 'de_DE', 1],
      enable_dtmf: ['yes', 2],
      tool_delay_message: ['x'.repeat(251), 1],
      max_call_duration_seconds: [-1, 1801, 1.5, '1'],
      version: [0, 2, null, '1'],
      temperature: [-0.01, 2.01, 0.123, '1'],
    }
    for (const [field, values] of Object.entries(refused)) {
      for (const value of values) {
        const hint = `${field} = ${JSON.stringify(value)}`
        expect(fieldsOf(await configure({ [field]: value })), hint).to.deep.equal([field])
      }
    }
    expect(fieldsOf(await api.patch(`${path}/settings`, { voice_id: 'nova' }))).to.deep.equal(['version'])
    const entries = await query(
      appliance,
      "SELECT changes FROM audit_log WHERE action = 'voice_agent_settings.update' ORDER BY id DESC LIMIT 2",
    )
    expect(entries[0].changes).to.deep.equal({ max_call_duration_seconds: { from: 0, to: 1800 } })
  })

  it('hold together when two servers are asked at once', async () => {
    const port = await appliance.startAnotherServer()
    const clients = [api, api.with({ port })]
    const made = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => succeed(clients[index % 2]!.post(`${path}/version`))),
    )
    const given = made.map(({ version }) => version as number).sort((a, b) => a - b)
    expect(given).to.deep.equal(Array.from({ length: 30 }, (_, index) => index + 2))
    expect(await numbers()).to.have.length(20)
    for (let round = 0; round < 10; round++) {
      await succeed(publish(1))
      const version = await add()
      const [publishing, deleting] = await Promise.all([
        clients[0]!.patch(`${path}/publish`, { version }),
        clients[1]!.delete(`${path}/version/${version}`),
      ])
      expect([publishing.status, deleting.status].sort()).to.deep.equal([200, 400])
      expect(await numbers()).to.include(await published())
    }
  })
})
