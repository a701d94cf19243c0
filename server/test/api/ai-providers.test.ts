import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { SecretBox } from '../../src/infrastructure/database/secrets.js'
import { Keyring } from '../../src/infrastructure/database/keyring.js'
import type { ApiClient } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { RealtimeServer } from '../support/realtime-server.js'
import { cascadedProvider, newProvider, providerInput, realtimeProvider } from './ai-provider-fixtures.js'
import { query, tablesHolding } from './database.js'
import { fieldsOf, newVoiceAgent, startUnlimited, succeed } from './fixtures.js'

const secretKey = randomBytes(32)

const marker = 'not-to-be-seen-in-clear'

describe('AI providers', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let operator: ApiClient
  before(async () => {
    appliance = await startUnlimited({
      JACKFIELD_SECRET_KEY: secretKey.toString('base64'),
      JACKFIELD_VOICE_AGENTS_DEFAULT_MODEL: 'swift-1',
    })
    operator = appliance.operator
  })
  beforeEach(async () => {
    workspace = await appliance.workspace()
    // What is offered depends on all of them.
    await query(appliance, 'DELETE FROM ai_providers')
  })
  after(async () => appliance?.stop())

  const create = async (changes: object = {}) => operator.post('/ai-providers', providerInput(changes))
  const patch = async (id: string, changes: object) => operator.patch(`/ai-providers/${id}`, changes)
  const offered = async (what: 'models' | 'voices') =>
    (await succeed(workspace.api.get(`/voice-agents/${what}`))).data
  const settingsOf = async (id: string) => (await succeed(workspace.api.get(`/voice-agents/${id}`))).settings

  async function keysOf(id: string): Promise<unknown> {
    const [row] = await query(appliance, 'SELECT secrets FROM ai_providers WHERE id = ?', [id])
    return JSON.parse(new SecretBox(new Keyring(secretKey)).open(row.secrets, `ai_provider:${id}`))
  }

  async function auditOf(id: string): Promise<{ action: string; changes: Record<string, unknown> }[]> {
    const columns = 'action, workspace_id, target_name, changes'
    return query(appliance, `SELECT ${columns} FROM audit_log WHERE target_id = ? ORDER BY id`, [id]) as never
  }

  it('are OpenAI when nothing but a key and a model is said', async () => {
    const models = [{ id: 'gpt-realtime', name: 'GPT Realtime' }]
    const made = await succeed(
      operator.post('/ai-providers', {
        ...{ name: 'openai', kind: 'openai_realtime', settings: { api_key: 'sk-1' }, models },
      }),
    )
    expect(made.id).to.match(/^aip_/)
    const times = { created_at: made.created_at, updated_at: made.created_at }
    expect(made).to.deep.equal({
      ...{ id: made.id, name: 'openai', kind: 'openai_realtime', secrets: ['api_key'] },
      settings: {
        ...{ base_url: 'https://api.openai.com/v1', protocol: 'ga' },
        ...{ transcription_model: 'gpt-4o-mini-transcribe', text_model: 'gpt-4.1-mini', text_base_url: null },
      },
      ...{ models: [{ ...models[0], languages: [] }], voices: [] },
      ...{ price_per_minute: 0, is_active: true, ...times },
    })
    expect(await keysOf(made.id)).to.deep.equal({ api_key: 'sk-1' })
    expect(await succeed(operator.get(`/ai-providers/${made.id}`))).to.deep.equal(made)
    expect((await succeed(operator.get('/ai-providers?search=openai'))).data).to.deep.equal([made])
    expect(await succeed(operator.delete(`/ai-providers/${made.id}`))).to.deep.equal(made)
    expect((await operator.get(`/ai-providers/${made.id}`)).status).to.equal(404)
    expect((await auditOf(made.id)).map(({ action }) => action)).to.deep.equal([
      'ai_provider.create',
      'ai_provider.delete',
    ])
  })

  it('are servers of the operator’s own, which need no key', async () => {
    const settings = { base_url: 'wss://10.0.0.5:8000/v1' }
    const made = await newProvider(appliance, { settings })
    expect(made.secrets).to.deep.equal([])
    expect(made.settings).to.deep.equal({
      ...{ ...settings, protocol: 'ga', transcription_model: null, text_model: null, text_base_url: null },
    })
  })

  it('are chains of three servers, each with a key of its own or none', async () => {
    const made = await newProvider(appliance, cascadedProvider)
    const { settings } = cascadedProvider
    const { api_key: _, ...chat } = settings.chat
    expect(made.settings).to.deep.equal({
      ...{ speech_to_text: settings.speech_to_text, chat, text_to_speech: settings.text_to_speech },
    })
    expect(made.secrets).to.deep.equal(['chat.api_key'])
    expect(await keysOf(made.id)).to.deep.equal({ 'chat.api_key': 'key-of-the-chat' })
    const changed = await succeed(
      patch(made.id, {
        settings: {
          chat: { model: 'llama-4', api_key: null },
          speech_to_text: { api_key: 'key-of-the-ears' },
        },
      }),
    )
    expect(changed.settings).to.deep.equal({ ...made.settings, chat: { ...chat, model: 'llama-4' } })
    expect(await keysOf(made.id)).to.deep.equal({ 'speech_to_text.api_key': 'key-of-the-ears' })
  })

  it('change but for what is not sent, and each change is in the audit log, keys aside', async () => {
    const made = await newProvider(appliance)
    const base_url = 'https://models.example.com/v1'
    const sent = { settings: { base_url, protocol: 'beta' }, price_per_minute: 0.06, voices: [] }
    const changed = await succeed(patch(made.id, sent))
    expect(changed).to.deep.equal({
      ...{ ...made, price_per_minute: 0.06, voices: [], updated_at: changed.updated_at },
      settings: { ...made.settings, base_url, protocol: 'beta' },
    })
    expect(await keysOf(made.id)).to.deep.equal({ api_key: 'key-of-the-platform' })
    await succeed(patch(made.id, { settings: { api_key: 'key-2' } }))
    expect(await keysOf(made.id)).to.deep.equal({ api_key: 'key-2' })
    await succeed(patch(made.id, { settings: { api_key: 'key-2' } }))
    const [, second, third, ...more] = await auditOf(made.id)
    expect(second).to.deep.equal({
      ...{ action: 'ai_provider.update', workspace_id: null, target_name: made.name },
      changes: {
        'settings.base_url': { from: made.settings.base_url, to: base_url },
        'settings.protocol': { from: 'ga', to: 'beta' },
        price_per_minute: { from: 0, to: 0.06 },
        voices: { from: made.voices, to: [] },
      },
    })
    expect(third?.changes).to.deep.equal({ secrets: { from: '(hidden)', to: '(hidden)' } })
    expect(more).to.deep.equal([])
  })

  it('keep their keys encrypted, and show them nowhere', async () => {
    const { settings } = realtimeProvider
    const { id } = await newProvider(appliance, { settings: { ...settings, api_key: `a-${marker}` } })
    await newProvider(appliance, {
      ...cascadedProvider,
      settings: {
        ...cascadedProvider.settings,
        chat: { base_url: settings.base_url.replace('ws', 'http'), api_key: `b-${marker}` },
      },
    })
    await succeed(patch(id, { settings: { api_key: `c-${marker}` } }))
    await succeed(workspace.api.put(`/voice-agents/providers/${id}/key`, { api_key: `d-${marker}` }))
    const shown = [
      await succeed(operator.get('/ai-providers?limit=100')),
      await succeed(workspace.api.get('/voice-agents/providers')),
      await succeed(workspace.api.get('/audit-log?limit=100')),
    ]
    expect(JSON.stringify(shown)).not.to.include(marker)
    expect(await tablesHolding(appliance, marker)).to.deep.equal([])
    expect(appliance.log).not.to.include(marker)
  })

  it('are set anew when the key is lost that their keys were sealed with', async () => {
    const { id } = await newProvider(appliance)
    const lost = new SecretBox(new Keyring(randomBytes(32))).seal('{"api_key":"x"}', `ai_provider:${id}`)
    await query(appliance, 'UPDATE ai_providers SET secrets = ? WHERE id = ?', [lost, id])
    expect((await succeed(operator.get(`/ai-providers/${id}`))).secrets).to.deep.equal([])
    await succeed(patch(id, { settings: { api_key: 'new' } }))
    expect(await keysOf(id)).to.deep.equal({ api_key: 'new' })
  })

  it('have a name of their own', async () => {
    const { id, name } = await newProvider(appliance)
    const other = await newProvider(appliance)
    for (const refused of [await create({ name }), await patch(other.id, { name })]) {
      expect(refused.status).to.equal(409)
      expect(refused.body.message).to.equal(`There is an AI provider named ${name} already`)
    }
    await succeed(patch(id, { name }))
    for (const wrong of ['', 'Acme', 'a b', '-a', 'x'.repeat(65), null]) {
      expect(fieldsOf(await create({ name: wrong })), String(wrong)).to.deep.equal(['name'])
    }
  })

  it('are refused with what breaks a rule, by field', async () => {
    const { settings } = realtimeProvider
    const realtime: [object, string][] = [
      [{ base_url: 'ftp://x.example' }, 'settings.base_url'],
      [{ base_url: 'x' }, 'settings.base_url'],
      [{ base_url: null }, 'settings.base_url'],
      [{ base_url: 'wss://me:word@x.example/v1' }, 'settings.base_url'],
      [{ base_url: 'wss://x.example/v1?model=a' }, 'settings.base_url'],
      [{ base_url: 'wss://x.example:25/v1' }, 'settings.base_url'],
      [{ text_base_url: 'wss://x.example/v1' }, 'settings.text_base_url'],
      [{ protocol: 'alpha' }, 'settings.protocol'],
      [{ api_key: 'two words' }, 'settings.api_key'],
      [{ api_key: '' }, 'settings.api_key'],
      [{ chat: {} }, 'settings.chat'],
      [{ transcription_model: '' }, 'settings.transcription_model'],
    ]
    for (const [changes, field] of realtime) {
      const answer = await create({ settings: { ...settings, ...changes } })
      expect(fieldsOf(answer), JSON.stringify(changes)).to.deep.equal([field])
    }
    const { id } = await newProvider(appliance, cascadedProvider)
    const cascaded: [object, string][] = [
      [{ chat: { base_url: 'ws://x.example/v1' } }, 'settings.chat.base_url'],
      [{ text_to_speech: { sample_rate: 9_000 } }, 'settings.text_to_speech.sample_rate'],
      [{ api_key: 'x' }, 'settings.api_key'],
      [{ base_url: 'https://x.example' }, 'settings.base_url'],
    ]
    for (const [changes, field] of cascaded) {
      expect(fieldsOf(await patch(id, { settings: changes })), JSON.stringify(changes)).to.deep.equal([field])
    }
    const before = (await succeed(operator.get(`/ai-providers/${id}`))).settings
    for (const leftOut of [{ chat: null }, { speech_to_text: { model: null } }]) {
      expect((await succeed(patch(id, { settings: leftOut }))).settings).to.deep.equal(before)
    }
    expect(fieldsOf(await create({ kind: 'cascaded', settings: {} }))).to.have.members([
      ...['settings.speech_to_text', 'settings.chat', 'settings.text_to_speech'],
    ])
    const [model] = realtimeProvider.models
    const others: [object, string][] = [
      [{ models: [] }, 'models'],
      [{ models: [model, model] }, 'models.1.id'],
      [{ models: [{ ...model, languages: ['english language'] }] }, 'models.0.languages.0'],
      [{ models: [{ id: 'x' }] }, 'models.0.name'],
      [{ voices: [{ ...model, id: '' }] }, 'voices.0.id'],
      [{ price_per_minute: -0.01 }, 'price_per_minute'],
      [{ price_per_minute: 1001 }, 'price_per_minute'],
      [{ price_per_minute: 0.0000001 }, 'price_per_minute'],
      [{ kind: 'other' }, 'kind'],
    ]
    for (const [changes, field] of others) {
      expect(fieldsOf(await create(changes)), JSON.stringify(changes)).to.deep.equal([field])
    }
    expect(fieldsOf(await patch(id, { kind: 'cascaded' }))).to.deep.equal(['kind'])
  })

  it('offer their models and voices to all workspaces while they are active', async () => {
    expect(await offered('models')).to.deep.equal([])
    expect(await offered('voices')).to.deep.equal([])
    const acme = await newProvider(appliance)
    const deep = { id: 'deep-1', name: 'Deep', languages: [] }
    const again = { ...realtimeProvider.models[0], name: 'Swift of others' }
    const other = await newProvider(appliance, { models: [deep, again] })
    const [swift] = realtimeProvider.models
    const [nova] = realtimeProvider.voices
    // Of two that offer the same model the older one has it.
    expect(await offered('models')).to.deep.equal([
      { ...swift, provider: acme.name },
      { ...deep, provider: other.name },
    ])
    expect(await offered('voices')).to.deep.equal([
      { ...nova, provider: acme.name },
      { ...nova, provider: other.name },
    ])
    const paged = await succeed(workspace.api.get('/voice-agents/models?limit=1&page=2'))
    expect(paged.data).to.deep.equal([{ ...deep, provider: other.name }])
    await succeed(patch(acme.id, { is_active: false }))
    expect(await offered('models')).to.deep.equal([
      { ...deep, provider: other.name },
      { ...again, provider: other.name },
    ])
  })

  it('are shown by the voice agents whose model they have', async () => {
    const before = await newVoiceAgent(workspace.api)
    expect(await settingsOf(before)).to.include({ model_id: 'swift-1', provider: 'openai' })
    const deep = { id: 'deep-1', name: 'Deep', languages: [] }
    const other = await newProvider(appliance, { models: [deep] })
    // Nobody offers the operator's choice, so a new one gets what there is.
    const id = await newVoiceAgent(workspace.api)
    expect(await settingsOf(id)).to.include({ model_id: 'deep-1', provider: other.name })
    const acme = await newProvider(appliance)
    expect(await settingsOf(before)).to.include({ model_id: 'swift-1', provider: acme.name })
    expect(await settingsOf(await newVoiceAgent(workspace.api))).to.include({ model_id: 'swift-1' })
    const changed = await succeed(
      workspace.api.patch(`/voice-agents/${id}/settings`, { version: 1, model_id: 'unlisted' }),
    )
    expect(changed.settings).to.include({ model_id: 'unlisted', provider: acme.name })
  })

  it('are not deleted while they are active and voice agents speak by what only they offer', async () => {
    const acme = await newProvider(appliance)
    await newVoiceAgent(workspace.api)
    await newVoiceAgent((await appliance.workspace()).api)
    const [{ count }] = await query(
      appliance,
      "SELECT COUNT(*) count FROM voice_agent_settings WHERE model_id = 'swift-1'",
    )
    const refused = await operator.delete(`/ai-providers/${acme.id}`)
    expect(refused.status).to.equal(409)
    expect(refused.body.message).to.include(`${count} voice agents`).and.to.include(acme.name)
    const other = await newProvider(appliance)
    await succeed(operator.delete(`/ai-providers/${acme.id}`))
    expect((await operator.delete(`/ai-providers/${other.id}`)).status).to.equal(409)
    await succeed(patch(other.id, { is_active: false }))
    await succeed(operator.delete(`/ai-providers/${other.id}`))
  })

  it('are tested by opening a session with them', async () => {
    const server = await RealtimeServer.start({ key: 'key-of-the-platform', models: ['swift-1'] })
    try {
      const { id } = await newProvider(appliance, {
        settings: { base_url: server.baseUrl, api_key: 'key-of-the-platform' },
      })
      const test = async () => succeed(operator.post(`/ai-providers/${id}/test`))
      const well = await test()
      expect(well).to.include({ model_id: 'swift-1', error: null })
      expect(well.took_ms).to.be.within(0, 10_000)
      expect(server.violations).to.deep.equal([])
      await succeed(patch(id, { settings: { api_key: 'wrong' } }))
      expect((await test()).error)
        .to.match(/^refused: /)
        .and.to.include('401')
      await succeed(patch(id, { settings: { base_url: 'ws://127.0.0.1:9999/v1' } }))
      expect((await test()).error).to.match(/^unreachable: /)
    } finally {
      await server.stop()
    }
    expect((await operator.post('/ai-providers/aip_none/test')).status).to.equal(404)
  })

  describe('of workspaces', () => {
    const keyPath = (id: string) => `/voice-agents/providers/${id}/key`

    it('are used with the workspace’s own key where it has one', async () => {
      const provider = await newProvider(appliance, { price_per_minute: 0.06 })
      const idle = await newProvider(appliance, { is_active: false })
      const { api } = workspace
      const platforms = {
        ...{ id: provider.id, name: provider.name, kind: 'openai_realtime', price_per_minute: 0.06 },
        ...{ has_own_key: false, own_key_updated_at: null },
      }
      const listed = async (client = api) => (await succeed(client.get('/voice-agents/providers'))).data
      expect(await listed()).to.deep.equal([platforms])
      const own = await succeed(api.put(keyPath(provider.id), { api_key: 'mine' }))
      expect(own).to.deep.equal({
        ...{ ...platforms, price_per_minute: 0, has_own_key: true },
        own_key_updated_at: own.own_key_updated_at,
      })
      expect(Date.now() - Date.parse(own.own_key_updated_at)).to.be.within(-1_000, 60_000)
      expect(await listed()).to.deep.equal([own])
      expect(await listed((await appliance.workspace()).api)).to.deep.equal([platforms])
      await succeed(api.put(keyPath(provider.id), { api_key: 'mine-2' }))
      const rows = await query(appliance, 'SELECT * FROM ai_provider_keys WHERE workspace_id = ?', [
        workspace.id,
      ])
      expect(rows).to.have.length(1)
      const opened = new SecretBox(new Keyring(secretKey)).open(
        rows[0].api_key,
        `ai_provider_key:${rows[0].id}`,
      )
      expect(opened).to.equal('mine-2')
      expect(await succeed(api.delete(keyPath(provider.id)))).to.deep.equal(platforms)
      expect((await api.delete(keyPath(provider.id))).status).to.equal(404)
      expect((await auditOf(rows[0].id)).map(({ action }) => action)).to.deep.equal([
        ...['ai_provider_key.create', 'ai_provider_key.update', 'ai_provider_key.delete'],
      ])
      for (const id of [idle.id, 'aip_none']) {
        expect((await api.put(keyPath(id), { api_key: 'x' })).status, id).to.equal(404)
      }
      for (const api_key of ['', 'two words', 'é', null, 'x'.repeat(4_097)]) {
        expect(fieldsOf(await api.put(keyPath(provider.id), { api_key })), String(api_key)).to.deep.equal([
          'api_key',
        ])
      }
    })

    it('have one key each, however many are set at once', async () => {
      const { id } = await newProvider(appliance)
      const answers = await Promise.all(
        Array.from({ length: 8 }, async (_, index) =>
          workspace.api.put(keyPath(id), { api_key: `mine-${index}` }),
        ),
      )
      expect(answers.map(({ status }) => status)).to.deep.equal(Array.from({ length: 8 }, () => 200))
      const rows = await query(appliance, 'SELECT id FROM ai_provider_keys WHERE provider_id = ?', [id])
      expect(rows).to.have.length(1)
    })

    it('lose their keys with the provider, and with the workspace', async () => {
      const provider = await newProvider(appliance)
      const kept = await newProvider(appliance, { models: [{ id: 'other-1', name: 'Other' }] })
      for (const { id } of [provider, kept]) await succeed(workspace.api.put(keyPath(id), { api_key: 'x' }))
      const left = async () =>
        (await query(appliance, 'SELECT provider_id FROM ai_provider_keys')).map((row) => row.provider_id)
      await succeed(patch(provider.id, { is_active: false }))
      await succeed(operator.delete(`/ai-providers/${provider.id}`))
      expect(await left()).to.deep.equal([kept.id])
      await succeed(operator.delete(`/workspaces/${workspace.id}`))
      expect(await left()).to.deep.equal([])
    })
  })
})
