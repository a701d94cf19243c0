import { expect } from 'chai'
import { RealtimeServer } from '../../../../server/dist/test/support/realtime-server.js'
import { ConsoleBench } from '../support/console-bench.js'
import { looksGood } from '../support/looks.js'
import { saves } from '../support/notices.js'

describe('The operator’s AI providers', function () {
  this.timeout(180_000)

  let bench: ConsoleBench
  let server: RealtimeServer
  before(async () => {
    bench = await ConsoleBench.start()
    server = await RealtimeServer.start()
  })
  after(async () => {
    await bench.stop()
    await server.stop()
  })

  it('should connect a realtime server, test it, replace its key, switch it off and delete it', async () => {
    const { page, problems } = await bench.operator('/ai-providers')
    await page.getByText('No AI providers yet').waitFor()
    await looksGood(page, 'operator-ai-providers-empty')
    await page.getByRole('link', { name: 'New provider' }).first().click()
    await page.getByRole('heading', { name: 'New provider', level: 1 }).waitFor()
    await looksGood(page, 'operator-ai-providers-new')
    await page.getByRole('button', { name: 'New provider' }).click()
    await page.locator('[aria-invalid="true"]').first().waitFor()
    await page.getByLabel('Name').fill('House')
    await page.getByRole('textbox', { name: 'Base URL', exact: true }).fill(server.baseUrl)
    await page.getByLabel('API key').fill('wrong-key')
    await page.getByLabel('USD a minute').fill('0.06')
    const model = page.getByRole('group', { name: 'Model 1' })
    await model.getByLabel('Id there').fill('swift-1')
    await model.getByLabel('Shown as').fill('Swift')
    await model.getByRole('combobox', { name: 'Languages' }).pressSequentially('en,pt-BR,')
    await page.getByRole('button', { name: 'One more voice' }).click()
    const voice = page.getByRole('group', { name: 'Voice 1' })
    await voice.getByLabel('Id there').fill('nova')
    await voice.getByLabel('Shown as').fill('Nova')
    await page.getByRole('button', { name: 'New provider' }).click()
    await page.getByText('Use lowercase letters, digits and hyphens.').waitFor()
    await page.getByLabel('Name').fill('house')
    await page.getByRole('button', { name: 'New provider' }).click()

    await page.getByRole('heading', { name: 'house', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByText('swift-1 is not ready for calls').waitFor()
    await page.getByLabel('API key', { exact: true }).fill('test-key')
    await saves(page, async () => page.getByRole('button', { name: 'Save' }).click())
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByText(/swift-1 was ready for calls in/).waitFor()
    await looksGood(page, 'operator-ai-provider')
    const { body } = await bench.appliance.operator.get('/ai-providers')
    const [provider] = body.data
    expect(provider).to.deep.include({
      ...{ name: 'house', price_per_minute: 0.06, is_active: true, secrets: ['api_key'] },
      models: [{ id: 'swift-1', name: 'Swift', languages: ['en', 'pt-BR'] }],
      voices: [{ id: 'nova', name: 'Nova', languages: [] }],
    })
    expect(await page.content()).not.to.contain('test-key')

    await page.getByLabel('USD a minute').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter a number.').waitFor()
    await page.getByLabel('USD a minute').fill('0.06')
    await page.getByRole('checkbox', { name: 'Delete the kept one: API key' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('One is kept').waitFor({ state: 'detached' })
    await page.getByRole('main').getByRole('link', { name: 'AI providers' }).click()
    await looksGood(page, 'operator-ai-providers')
    await page.getByRole('switch', { name: 'Switch house off' }).press('Space')
    await page.getByText('Switched off').waitFor()
    const off = await bench.appliance.operator.get(`/ai-providers/${provider.id}`)
    expect(off.body).to.deep.include({ is_active: false, secrets: [] })
    await page.getByRole('button', { name: 'Delete house' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No AI providers yet').waitFor()
    expect(problems.filter((problem) => !problem.includes('400'))).to.eql([])
  })

  it('should connect a chain of three servers, in German too', async () => {
    const context = await bench.context({ locale: 'de-DE' })
    const { page, problems } = await bench.operator('/ai-providers/new', context)
    await page.getByText('Server-Kette').click()
    await page.getByLabel('Name *').fill('chain')
    await page.getByLabel('USD pro Minute').fill('')
    await page.getByLabel('USD pro Minute').pressSequentially('0,05')
    for (const [name, model] of [
      ['Sprache zu Text', 'whisper'],
      ['Chat', ''],
      ['Text zu Sprache', 'kokoro'],
    ] as const) {
      const service = page.getByRole('group', { name, exact: true })
      await service.getByLabel('Basis-URL').fill('http://127.0.0.1:9999/v1')
      await service.getByLabel('Modell').fill(model)
    }
    const speech = page.getByRole('group', { name: 'Text zu Sprache', exact: true })
    await speech.getByRole('combobox', { name: 'Abtastrate' }).click()
    await page.getByRole('option', { name: '22050 Hz' }).click()
    const model = page.getByRole('group', { name: 'Modell 1' })
    await model.getByLabel('Kennung dort').fill('house-1')
    await model.getByLabel('Gezeigt als').fill('Haus')
    await looksGood(page, 'operator-ai-providers-chain-de')
    await page.getByRole('button', { name: 'Neuer Anbieter' }).click()
    await page.getByRole('heading', { name: 'chain', level: 1 }).waitFor()
    const { body } = await bench.appliance.operator.get('/ai-providers')
    expect(body.data[0].price_per_minute).to.equal(0.05)
    expect(body.data[0].settings).to.deep.include({
      chat: { base_url: 'http://127.0.0.1:9999/v1', model: null },
      text_to_speech: {
        ...{ base_url: 'http://127.0.0.1:9999/v1', model: 'kokoro' },
        ...{ voice: 'alloy', sample_rate: 22_050 },
      },
    })
    expect(problems).to.eql([])
  })
})
