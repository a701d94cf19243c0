/** Whose model a session gets, with whose key, and for how much. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { expect } from 'chai'
import { pino } from 'pino'
import type { AiProvider, AiProviderKind } from '../../src/features/ai-providers/ai-provider.entity.js'
import { ProviderModels } from '../../src/features/ai-providers/provider-models.js'
import { ProviderSettings } from '../../src/features/ai-providers/provider-settings.js'
import { SecretBox } from '../../src/infrastructure/database/secrets.js'
import { Catalogue } from '../../src/features/ai-providers/catalogue.js'
import { SpeechModelError, type SpeechSettings } from '../../src/adapters/speech/speech-model.js'
import { usualTurns } from '../../src/adapters/speech/turn-detection.js'
import { Keyring } from '../../src/infrastructure/database/keyring.js'
import { OpenAiHttpServer } from '../support/openai-http.js'
import { RealtimeServer } from '../support/realtime-server.js'

const workspace = { id: 'acme' }
const log = pino({ level: 'silent' })
const providerSettings = new ProviderSettings(new SecretBox(new Keyring(randomBytes(32))))

function provider(
  name: string,
  kind: AiProviderKind,
  settings: object,
  models: readonly string[],
): AiProvider {
  const id = `aip_${name}`
  return {
    ...{ id, name, kind, ...providerSettings.columnsOf(id, kind, { ...settings }) },
    models: models.map((model) => ({ id: model, name: model, languages: [] })),
    ...{ voices: [], price_per_minute: 0.06, is_active: true },
    ...{ created_at: new Date(), updated_at: new Date() },
  }
}

const service = () => ({ base_url: 'http://10.0.0.5:8000/v1', model: 'a-model' })
const chain = { speech_to_text: service(), chat: service(), text_to_speech: service() }

/** Those of the providers, with keys of the workspace by the provider's id. */
function modelsOf(active: AiProvider[], keys: Record<string, string> = {}, preferred = 'swift-1') {
  const providers = { active: async () => active }
  return new ProviderModels({
    ...{ providers, settings: providerSettings, log, catalogue: new Catalogue(providers, preferred) },
    keys: {
      find: async (_, id) => keys[id] ?? null,
      has: async (_, id) => id in keys,
    },
  })
}

const asked = (modelId: string): SpeechSettings => ({
  ...{ modelId, voiceId: null, instructions: 'Be brief.', temperature: 0.8, noiseReduction: true },
  ...{ tools: [], history: [], language: null, turnDetection: usualTurns },
})

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  )
  expect(error).to.be.instanceOf(SpeechModelError)
  expect((error as SpeechModelError).kind).to.equal('refused')
  return (error as SpeechModelError).message
}

describe('models of providers', () => {
  let server: RealtimeServer
  beforeEach(async () => {
    server = await RealtimeServer.start({ key: null })
  })
  afterEach(async () => server.stop())

  const own = (name: string, settings: object = {}) =>
    provider(name, 'openai_realtime', { base_url: server.baseUrl, ...settings }, ['swift-1'])

  /** The key that comes with a session. */
  async function keySent(models: ProviderModels): Promise<string | undefined> {
    const model = await models.model(workspace, asked('swift-1'))
    await model.open(new AbortController().signal).catch(() => undefined)
    model.close()
    return server.asked.at(-1)?.headers.authorization
  }

  it('come from the oldest provider that offers them', async () => {
    const models = modelsOf([own('first'), own('second')])
    expect(await models.offer(workspace, 'swift-1')).to.deep.equal({
      provider: 'first',
      pricePerMinute: 0.06,
    })
    const model = await models.model(workspace, asked('swift-1'))
    await model.open(new AbortController().signal)
    model.close()
    expect(server.session.model).to.equal('swift-1')
    expect(server.violations).to.deep.equal([])
  })

  it('are refused when nobody offers them', async () => {
    const models = modelsOf([own('first')])
    const words = 'no AI provider offers the model other-1'
    expect(await refusal(models.model(workspace, asked('other-1')))).to.equal(words)
    expect(await refusal(models.offer(workspace, 'other-1'))).to.equal(words)
    expect(await refusal(models.pricePerMinute(workspace, 'other-1'))).to.equal(words)
  })

  it('are asked with the key of the platform, of the workspace, or with none', async () => {
    expect(await keySent(modelsOf([own('first')]))).to.equal(undefined)
    const keyed = own('first', { api_key: 'platforms' })
    expect(await keySent(modelsOf([keyed]))).to.equal('Bearer platforms')
    const paid = modelsOf([keyed], { [keyed.id]: 'workspaces' })
    expect(await keySent(paid)).to.equal('Bearer workspaces')
    expect(await paid.pricePerMinute(workspace, 'swift-1')).to.equal(0)
  })

  it('of chains are asked for by what the operator has named, or else the voice agent', async () => {
    const services = new OpenAiHttpServer('workspaces')
    await services.start()
    try {
      const one = () => ({ base_url: services.baseUrl, model: 'a-model', api_key: 'platforms' })
      const of = (chat: object) => {
        const settings = { speech_to_text: one(), chat: { ...one(), ...chat }, text_to_speech: one() }
        const house = provider('house', 'cascaded', settings, ['house-1'])
        return { house, open: async (keys: Record<string, string>) => openOf(modelsOf([house], keys)) }
      }
      const openOf = async (models: ProviderModels) => {
        const model = await models.model(workspace, asked('house-1'))
        try {
          await model.open(new AbortController().signal)
          model.read('Hello')
          await once(model, 'responded')
        } finally {
          model.close()
        }
      }
      const named = of({})
      expect(await refusal(named.open({}))).to.include('401')
      // One key of the workspace does for all three.
      await named.open({ [named.house.id]: 'workspaces' })
      const open = of({ model: null })
      await open.open({ [open.house.id]: 'workspaces' })
      expect(services.chats.map(({ model }) => model)).to.deep.equal(['a-model', 'house-1'])
      expect(services.spoken[0]).to.include({ voice: 'alloy', model: 'a-model' })
      expect(services.violations).to.deep.equal([])
    } finally {
      await services.stop()
    }
  })

  it('are refused when the key cannot be read', async () => {
    const words = 'the key of the AI provider first cannot be read: set it again'
    const lost = { ...own('first', { api_key: 'x' }), secrets: 'v1.of.another.key' }
    expect(await refusal(modelsOf([lost]).model(workspace, asked('swift-1')))).to.equal(words)
    const models = modelsOf([own('first')])
    Object.assign(models, {
      options: { ...models['options'], keys: { find: async () => Promise.reject(new Error('unreadable')) } },
    })
    expect(await refusal(models.model(workspace, asked('swift-1')))).to.equal(words)
  })

  it('that write are the default model’s provider’s, or of the oldest other one that has one', async () => {
    const openai = provider('openai', 'openai_realtime', { api_key: 'sk-1' }, ['gpt-realtime'])
    const house = provider('house', 'cascaded', chain, ['house-1'])
    const mute = own('mute')
    expect(await modelsOf([mute, house, openai], {}, 'gpt-realtime').textModel(workspace)).to.deep.equal({
      ...{ baseUrl: 'https://api.openai.com/v1', apiKey: 'sk-1', modelId: 'gpt-4.1-mini' },
    })
    const houses = { baseUrl: service().base_url, apiKey: null, modelId: 'a-model' }
    expect(await modelsOf([mute, house, openai]).textModel(workspace)).to.deep.equal(houses)
    expect(await modelsOf([house], { [house.id]: 'mine' }).textModel(workspace)).to.deep.equal({
      ...{ ...houses, apiKey: 'mine' },
    })
    expect(await refusal(modelsOf([mute]).textModel(workspace))).to.equal(
      'no AI provider offers a model that writes',
    )
  })

  it('that write are found beneath the base URL, or where they are said to be', async () => {
    const at = async (settings: object) =>
      (
        await modelsOf([
          provider('one', 'openai_realtime', { text_model: 'm', ...settings }, ['x']),
        ]).textModel(workspace)
      ).baseUrl
    expect(await at({ base_url: 'wss://x.example/v1/' })).to.equal('https://x.example/v1')
    expect(await at({ base_url: 'ws://x.example:8000/v1/realtime' })).to.equal('http://x.example:8000/v1')
    const elsewhere = 'http://10.0.0.5:8000/v1/'
    expect(await at({ base_url: 'ws://x.example/v1', text_base_url: elsewhere })).to.equal(
      'http://10.0.0.5:8000/v1',
    )
  })
})
