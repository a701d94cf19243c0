/** Somebody makes a voice agent, tries it, and talks with it, on a real FreeSWITCH; the provider is a server of the test. */
import { expect } from 'chai'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { chatProvider, draft, houseModel } from '../../../server/dist/test/api/voice-agent-fixtures.js'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { findFreeswitch } from '../../../server/dist/test/support/freeswitch.js'
import type {
  ChatAnswer,
  ChatRequest,
  OpenAiHttpServer,
} from '../../../server/dist/test/support/openai-http.js'
import { VoiceAgentBench } from '../../../server/dist/test/support/voice-agent-bench.js'
import { ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'
import type { Schema } from './support/schemas.js'
import { saves } from './support/notices.js'

/** Writes drafts when it is asked for instructions, and else answers callers. */
function chatting({ messages }: ChatRequest): ChatAnswer {
  const asked = messages.at(-1)?.content ?? ''
  if (asked.includes('dentist')) return { text: JSON.stringify(draft) }
  if (asked.includes('shorter')) return { text: JSON.stringify({ instructions: 'You answer for Acme.' }) }
  return { text: asked.includes('open') ? 'We open at nine.' : 'Acme, good morning.' }
}

/** Keeps the sound that comes in, for {@link loudestHz}. */
async function listen(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const Real = window.RTCPeerConnection
    window.RTCPeerConnection = class extends Real {
      constructor(...given: ConstructorParameters<typeof Real>) {
        super(...given)
        this.addEventListener('track', ({ track }) => {
          const audio = new AudioContext()
          const analyser = new AnalyserNode(audio, { fftSize: 16_384, smoothingTimeConstant: 0 })
          new MediaStreamAudioSourceNode(audio, { mediaStream: new MediaStream([track]) }).connect(analyser)
          Object.assign(window, { heard: analyser })
        })
      }
    }
  })
}

/** The loudest tone that the page hears; null while it hears nothing. */
async function loudestHz(page: Page): Promise<number | null> {
  return page.evaluate(() => {
    const { heard } = window as unknown as { heard: AnalyserNode | undefined }
    if (!heard) return null
    const levels = new Float32Array(heard.frequencyBinCount)
    heard.getFloatFrequencyData(levels)
    const loudest = levels.reduce((best, level, bin) => (level > (levels[best] ?? -Infinity) ? bin : best), 0)
    return (levels[loudest] ?? -Infinity) < -50 ? null : (loudest * heard.context.sampleRate) / heard.fftSize
  })
}

/** Counts the lines that the stream of a call tells the page. */
async function countLines(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const counted = Object.assign(window, { linesTold: 0 })
    const Real = window.EventSource
    window.EventSource = class extends Real {
      constructor(...given: ConstructorParameters<typeof Real>) {
        super(...given)
        this.addEventListener('transcription.dialogue', () => counted.linesTold++)
      }
    }
  })
}

describe('Voice agents in the console', function () {
  this.timeout(180_000)
  let voice: VoiceAgentBench
  let chats: OpenAiHttpServer
  let bench: ConsoleBench

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    const limits = { JACKFIELD_RATE_LIMITS_DEFAULT: '100000', JACKFIELD_RATE_LIMITS_HEAVY: '100000' }
    voice = await VoiceAgentBench.start({ settings: limits })
    const { operator } = voice.appliance
    const [realtime] = (await operator.get('/ai-providers')).body.data as { id: string }[]
    await operator.patch(`/ai-providers/${realtime!.id}`, { settings: { text_model: null } })
    chats = await chatProvider(voice.appliance)
    chats.answering = chatting
    bench = await ConsoleBench.on(voice.inbound.bench.workspace)
  })
  after(async () => {
    await bench?.closePages()
    await chats?.stop()
    await voice?.stop()
  })
  afterEach(() => {
    expect(voice.provider.violations).to.eql([])
    expect(chats.violations).to.eql([])
  })

  const at = (path = '') => `/voice-agents/${voice.voiceAgentId}${path}`
  const choose = async (page: Page, field: Locator, option: string) => {
    await field.click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }

  it('should be listed, and made with instructions that are written in a chat', async () => {
    const { page, problems } = await bench.admin('/voice-agents')
    await page.getByRole('table', { name: 'Voice agents' }).getByRole('link', { name: 'Ada' }).waitFor()
    await looksGood(page, 'voice-agents')
    await page.getByRole('link', { name: 'New voice agent' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Dr Bell')
    await page.getByRole('button', { name: 'Make the voice agent' }).click()
    await page.locator('textarea[data-path="instructions"][aria-invalid="true"]').waitFor()
    await page.getByLabel('What is it for?').fill('Answers for a dentist, and takes appointments.')
    await page.getByRole('button', { name: 'Write it' }).click()
    const drafts = page.getByRole('log', { name: 'Drafts' })
    await drafts.getByText(draft.instructions).waitFor()
    await looksGood(page, 'voice-agents-new')
    await page.getByLabel('What is to be changed?').fill('Make it shorter.')
    await page.getByRole('button', { name: 'Change it' }).click()
    await drafts.getByText('You answer for Acme.', { exact: true }).waitFor()
    await drafts.getByRole('button', { name: 'Use this draft' }).first().click()
    await page.getByRole('button', { name: 'Make the voice agent' }).click()
    await page.getByRole('heading', { name: 'Dr Bell' }).waitFor()
    expect(await page.getByLabel('Greeting').inputValue()).to.equal(draft.greeting_message)
    expect(await page.getByRole('textbox', { name: 'Instructions', exact: true }).inputValue()).to.equal(
      draft.instructions,
    )
    expect(problems.filter((problem) => !problem.includes('400'))).to.eql([])
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('dialog', { name: 'Rename' }).waitFor()
    await looksGood(page, 'voice-agents-rename')
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Compare' }).click()
    await page.getByText('There is only one version').waitFor()
    await looksGood(page, 'voice-agents-compare-one')
  })

  it('should have a field for each setting, tool and script that the API takes', async () => {
    const { page } = await bench.admin(at())
    const { components, paths } = JSON.parse((await bench.get('/api/v1/openapi.json')).text) as OpenApi
    const asked = (path: string, method: 'post' | 'patch') => {
      const { schema } = paths[path]![method]!.requestBody.content['application/json']
      return Object.keys(schema.properties ?? {})
    }
    const shown = async (where: Locator) => {
      const fields = where.locator('[data-path]')
      const places = await fields.evaluateAll((all) => all.map((one) => one.getAttribute('data-path') ?? ''))
      return [...new Set(places.map((place) => place.split('.')[0]))]
    }
    const save = page.getByRole('button', { name: 'Save' })
    await save.waitFor()
    // Which version it is stands above the form.
    const settings = asked('/voice-agents/{id}/settings', 'patch').filter((name) => name !== 'version')
    const lists = { functions: page.getByRole('group', { name: 'Tools' }) }
    const found = await shown(page.locator('form').filter({ has: save }))
    for (const [name, field] of Object.entries(lists)) if (await field.count()) found.push(name)
    expect([...new Set(found)]).to.have.members(settings)

    await page.getByRole('tab', { name: 'Tools' }).click()
    await page.getByRole('button', { name: 'New tool' }).click()
    const tool = page.getByRole('dialog', { name: 'New tool' })
    await tool.getByRole('button', { name: 'Add a header' }).click()
    await tool.getByRole('button', { name: 'Add a parameter' }).click()
    await tool.getByLabel('What the model is to fill in').waitFor()
    // `required_params` says the same as each parameter's own `required`; tools of one's own are `custom`.
    const fixed = ['tool_type', 'required_params']
    const names = (await shown(tool)).map((name) => (name === 'headers' ? 'webhook_headers' : name))
    expect(names).to.have.members(
      asked('/voice-agents/{id}/tools', 'post').filter((name) => !fixed.includes(name)),
    )
    await page.keyboard.press('Escape')

    await page.goto(`${bench.url}${at('/evaluations')}`)
    await page.getByRole('button', { name: 'New script' }).first().click()
    const script = page.getByRole('dialog', { name: 'New script' })
    await script.getByRole('button', { name: 'Add a rule' }).last().click()
    await script.getByRole('button', { name: 'Add an answer' }).click()
    const called: Record<string, string> = { rules: 'expect', answers: 'tool_answers' }
    await script.getByRole('combobox', { name: 'Rule 1' }).click()
    const rules = await page.getByRole('option').count()
    expect(rules).to.equal(Object.keys(components.schemas['EvaluationRule']?.properties ?? {}).length)
    await page.keyboard.press('Escape')
    const parts = (await shown(script)).map((name) => called[name ?? ''] ?? name)
    expect(parts).to.have.members(asked('/voice-agents/{id}/evaluations/scripts', 'post'))
  })

  it('should ask before settings are left that are not saved', async () => {
    const { page } = await bench.admin(at())
    await page.getByLabel('Greeting').fill('Good day, whom may I call?')
    await page.getByRole('tab', { name: 'Tools' }).click()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByLabel('Greeting').inputValue()).to.equal('Good day, whom may I call?')
    await page.getByRole('tab', { name: 'Tools' }).click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('list', { name: 'Tools' }).waitFor()
  })

  it('should say what somebody else has changed meanwhile, and leave the rest of theirs', async () => {
    const { page } = await bench.admin(at())
    const greeting = page.getByLabel('Greeting')
    const greetingBefore = await greeting.inputValue()
    const settings = async () =>
      (await voice.api.get(at())).body.settings as { greeting_message: string; temperature: number }
    await greeting.fill('Ours')
    expect(await page.getByRole('button', { name: 'New version' }).isDisabled()).to.equal(true)
    const theirs = { version: 1, greeting_message: 'Theirs', temperature: 0.3 }
    await voice.api.patch(at('/settings'), theirs)
    const save = page.getByRole('button', { name: 'Save' })
    await save.click()
    await page.getByText('Someone else has changed these: Greeting.').waitFor()
    expect(await page.getByLabel('Temperature').inputValue()).to.equal('0.3')
    expect(await settings()).to.include({ greeting_message: 'Theirs' })
    await saves(page, async () => save.click())
    expect(await settings()).to.include({ greeting_message: 'Ours', temperature: 0.3 })
    await voice.api.patch(at('/settings'), { version: 1, greeting_message: greetingBefore })
  })

  it('should say what to do next where there is nothing yet', async () => {
    const context = await bench.context()
    const nothing = { data: [], meta: { total: 0, page: 1, limit: 100, total_pages: 0 } }
    for (const path of ['voice-agents', 'voice-agents/providers']) {
      await context.route(`**/api/v1/${path}?*`, async (route) => route.fulfill({ json: nothing }))
    }
    const { page } = await bench.admin('/voice-agents', context)
    await page.getByText('No voice agents yet').waitFor()
    await looksGood(page, 'voice-agents-empty')
    await page.getByRole('link', { name: 'AI providers' }).click()
    await page.getByText('No providers yet').waitFor()
    await looksGood(page, 'voice-agents-providers-empty')
  })

  it('should have versions, which are compared side by side and published', async () => {
    const { page } = await bench.admin(at())
    await page.getByText('Callers talk with this version').waitFor()
    await page.getByRole('button', { name: 'Write with AI' }).click()
    await page.getByLabel('What is it for?').waitFor()
    await looksGood(page, 'voice-agents-settings')
    await page.getByRole('button', { name: 'New version' }).click()
    await page.getByRole('button', { name: 'Publish version 2' }).waitFor()
    const instructions = page.getByRole('textbox', { name: 'Instructions', exact: true })
    await instructions.fill('Answer questions about prices.')
    await choose(page, page.getByRole('combobox', { name: 'Model' }), 'House')
    await saves(page, async () => page.getByRole('button', { name: 'Save' }).click())
    await page.getByRole('tab', { name: 'Compare' }).click()
    await page.getByText('2 settings differ').waitFor()
    await page.locator('del', { hasText: 'opening hours.' }).waitFor()
    await page.locator('ins', { hasText: 'prices.' }).waitFor()
    await looksGood(page, 'voice-agents-compare')
    await page.getByLabel('Only what differs').press('Space')
    await page.getByRole('rowheader', { name: 'Temperature' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Publish version 2' }).click()
    await page.getByRole('dialog', { name: 'Publish version 2?' }).waitFor()
    await looksGood(page, 'voice-agents-publish')
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Callers get version 2 now').waitFor()
    const shown = await voice.api.get(at())
    expect(shown.body.published_version).to.equal(2)
    expect(shown.body.settings).to.include({ version: 2, model_id: houseModel })
    await voice.api.patch(at('/publish'), { version: 1 })
  })

  it('should have tools, whose faults stand at their fields', async () => {
    const { page } = await bench.admin(at('/tools'))
    await page.getByRole('list', { name: 'Tools' }).getByText('transfer_call').waitFor()
    await looksGood(page, 'voice-agents-tools')
    await page.getByRole('button', { name: 'New tool' }).click()
    const form = page.getByRole('dialog', { name: 'New tool' })
    await form.getByLabel('Name of the tool').fill('Look up')
    await form.getByLabel('When to call it').fill('Looks an order up.')
    await form.getByLabel('URL of your server').fill('https://example.com/orders')
    await form.getByRole('button', { name: 'Add a parameter' }).click()
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('number')
    await form.getByLabel('What the model is to fill in').fill('The order’s number')
    await looksGood(page, 'voice-agents-tool')
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    await form.getByRole('button', { name: 'Add a parameter' }).click()
    await form.getByRole('textbox', { name: 'Name', exact: true }).last().fill('number')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('This name stands above already.').waitFor()
    await form.getByRole('button', { name: 'Remove parameter 2' }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Use lowercase letters, digits and underscores.').first().waitFor()
    await form.getByLabel('Name of the tool').fill('look_up')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByText('Takes: number').waitFor()
    await page.getByRole('switch', { name: 'look_up may be used' }).press('Space')
    const isOff = async () => {
      const { body } = await voice.api.get(at('/tools'))
      return (body.data as { name: string; is_active: boolean }[]).find(({ name }) => name === 'look_up')
    }
    await eventually(isOff, (tool) => tool?.is_active === false, { what: 'tool that is switched off' })
    await page.getByRole('button', { name: 'Delete look_up' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Takes: number').waitFor({ state: 'detached' })
  })

  it('should be evaluated with scripts that are written here', async () => {
    const { page } = await bench.admin(at('/evaluations'))
    await page.getByText('No scripts yet').waitFor()
    await looksGood(page, 'voice-agents-evaluations-empty')
    await page.getByRole('button', { name: 'New script' }).first().click()
    const form = page.getByRole('dialog', { name: 'New script' })
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Opening hours')
    await form.getByLabel('The caller says').fill('When do you open?')
    const answer = form.getByRole('group', { name: 'Expected of answer 1' })
    await answer.getByRole('button', { name: 'Add a rule' }).click()
    await answer.getByRole('textbox', { name: 'What' }).fill('at nine')
    const call = form.getByRole('group', { name: 'Expected of the whole call' })
    await call.getByRole('button', { name: 'Add a rule' }).click()
    await choose(page, call.getByRole('combobox', { name: 'Rule 1' }), 'Ends the call')
    await looksGood(page, 'voice-agents-script')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    await choose(page, page.getByRole('combobox', { name: 'Played to' }), 'Version 2')
    await page.getByRole('button', { name: 'Play 1 script' }).click()
    await page.getByText('0 of 1 passed', { exact: true }).waitFor()
    await page.getByText('Turn 1: says “at nine”').waitFor()
    await page.getByText('Whole call: ends the call').waitFor()
    expect(await page.getByRole('img', { name: 'Held', exact: true }).count()).to.equal(1)
    expect(await page.getByRole('img', { name: 'Did not hold' }).count()).to.equal(1)
    await page.getByText('We open at nine.').waitFor()
    await looksGood(page, 'voice-agents-evaluation')
    await page.getByRole('link', { name: 'All evaluations' }).click()
    await page.getByRole('table', { name: 'Evaluations' }).getByText('0 of 1 passed').waitFor()
    await looksGood(page, 'voice-agents-evaluations')
  })

  it('should use a key of the workspace’s own', async () => {
    const { page } = await bench.admin('/voice-agents/providers')
    const row = page.getByRole('listitem').filter({ hasText: 'Realtime speech' })
    await row.getByText('The platform’s key').waitFor()
    await row.getByRole('button', { name: 'Use a key of yours' }).click()
    await page
      .getByRole('dialog')
      .getByLabel(/^Key/)
      .fill(voice.provider.key ?? '')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await row.getByText('Your own key').waitFor()
    await row.getByText('You pay the provider').waitFor()
    await looksGood(page, 'voice-agents-providers')
    await row.getByRole('button', { name: 'Delete the key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await row.getByText('The platform’s key').waitFor()
  })

  it('should be talked with in the browser, which hears it and is heard', async () => {
    const { provider } = voice
    Object.assign(provider, { hz: 660, answerMs: 3_000 })
    const context = await bench.context()
    await listen(context)
    const { page, problems } = await bench.admin(at('/talk?version=1'), context)
    await page.getByRole('button', { name: 'Talk with version 1' }).waitFor()
    await looksGood(page, 'voice-agents-talk')
    await page.getByRole('button', { name: 'Talk with version 1' }).click()
    await page.getByText('You talk', { exact: true }).waitFor()
    await eventually(
      async () => loudestHz(page),
      (hz) => hz !== null && Math.abs(hz - 660) < 15,
      { what: 'tone of the voice agent in the browser', withinMs: 20_000 },
    )
    const said = page.getByRole('log', { name: 'What was said' })
    // The microphone of tests beeps once a second: the model takes that for a caller, who may be faster than its
    // greeting, and answers.
    await said.getByText('I hear you.').first().waitFor()
    for (const name of ['You', 'Voice agent']) {
      const meter = page.getByRole('progressbar', { name })
      await eventually(
        async () => Number(await meter.getAttribute('aria-valuenow')),
        (level) => level > 20,
        { what: `level of ${name}`, everyMs: 20 },
      )
    }
    await looksGood(page, 'voice-agents-talking')
    await page.getByRole('button', { name: 'Mute' }).click()
    await page.getByText('You are muted').waitFor()
    await page.getByRole('button', { name: 'Hang up' }).click()
    await page.getByText(/^Ended after 0:/).waitFor()
    const [call] = (await voice.api.get('/calls?limit=1')).body.data as { call_id: string }[]
    const session = await voice.endedSession(call!.call_id, 15_000)
    expect(session).to.include({ version: 1, end_reason: 'caller_left' })
    await page.getByText('You left.').waitFor()
    expect(problems).to.eql([])
  })

  it('should tell an agent what is said as it is said, without being asked', async () => {
    Object.assign(voice.provider, { hz: 660, answerMs: 3_000 })
    const amara = await bench.makeAgent('amara', { is_admin: true })
    const context = await bench.context()
    await countLines(context)
    const { page } = await bench.agent(amara, at('/talk?version=1'), context)
    let asked = 0
    page.on('request', (request) => {
      if (request.url().includes('/transcript')) asked++
    })
    await page.getByRole('button', { name: 'Talk with version 1' }).click()
    const said = page.getByRole('log', { name: 'What was said' })
    await said.getByText('I hear you.').first().waitFor()
    const told = async () => page.evaluate(() => (window as unknown as { linesTold: number }).linesTold)
    await eventually(told, (lines) => lines >= 4, { what: 'lines that are told', withinMs: 30_000 })
    const shown = said.locator('p')
    await shown.nth(3).waitFor()
    // At first, when the stream opens, and for each line: never by itself.
    expect(asked).to.be.at.most(2 + (await told()))
    await page.getByRole('button', { name: 'Hang up' }).click()
    await page.getByText(/^Ended after 0:/).waitFor()
  })

  it('should say why there is no talk, where the microphone is not allowed or the provider is down', async () => {
    const { page } = await bench.admin(at('/talk?version=1'), await bench.context({ permissions: [] }))
    await page.evaluate(() => {
      navigator.mediaDevices.getUserMedia = async () =>
        Promise.reject(new DOMException('denied', 'NotAllowedError'))
    })
    await page.getByRole('button', { name: 'Talk with version 1' }).click()
    await page.getByRole('alert').getByText('does not let this page use the microphone').waitFor()
    voice.provider.handshake = 503
    const other = await bench.admin(at('/talk?version=1'))
    await other.page.getByRole('button', { name: 'Talk with version 1' }).click()
    await other.page.getByText('It could not join').waitFor()
    voice.provider.handshake = 'ok'
  })
})

interface OpenApi {
  components: { schemas: Record<string, Schema> }
  paths: Record<
    string,
    Partial<
      Record<'post' | 'patch', { requestBody: { content: { 'application/json': { schema: Schema } } } }>
    >
  >
}
