/**
 * A workspace's first day, by clicking: an admin sets up people, a flow, a trunk and a number; a caller from the telephone
 * network reaches the agent's browser; a supervisor whispers; a text comes in, and its reply goes out.
 */
import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { carriersPath, newCarrier } from '../../../../server/dist/test/api/carrier-fixtures.js'
import { succeed } from '../../../../server/dist/test/api/fixtures.js'
import { rate, recordingIs, soundOf } from '../../../../server/dist/test/recordings/recorded.js'
import { findFreeswitch } from '../../../../server/dist/test/support/freeswitch.js'
import { Sipp } from '../../../../server/dist/test/support/sipp.js'
import { Smsc } from '../../../../server/dist/test/support/smsc.js'
import { toneLevel } from '../../../../server/dist/test/support/tone.js'
import { goTo, pick } from '../support/clicks.js'
import { type ConsoleAgent, ConsoleBench } from '../support/console-bench.js'
import { pageHears, singing } from '../support/page-sound.js'
import { saves } from '../support/notices.js'

const number = '+12025550123'
const caller = '+12125550142'
const client = '+13035550123'
const amaraHz = 900
const sueHz = 1_300

/** How much of a tone there is in that second which has the most of it. */
function loudest(pcm: Int16Array, hz: number): number {
  const seconds = Array.from({ length: Math.ceil(pcm.length / rate) }, (_, index) =>
    pcm.subarray(index * rate, (index + 1) * rate),
  )
  return Math.max(...seconds.map((second) => toneLevel(second, hz, rate)))
}

describe('A workspace’s first day', function () {
  this.timeout(180_000)
  let bench: ConsoleBench
  let smsc: Smsc
  const problems: string[][] = []

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await ConsoleBench.start({ switch: 'freeswitch' })
    smsc = await Smsc.start()
  })
  after(async () => {
    await bench?.stop()
    await smsc?.stop()
  })

  it('should lead from nothing to a call, a whisper and a reply', async () => {
    const { page: admin, problems: admins } = await bench.admin('/teams')
    problems.push(admins)
    await makeTeam(admin)
    const amara = await makeAgent(admin, 'Amara Okafor', 'amara')
    const sue = await makeAgent(admin, 'Sue Park', 'sue', 'Supervisor')
    await drawFlow(admin)
    await connectNumber(admin)

    const amaras = await signIn(amara, '/phone', amaraHz)
    await amaras.getByRole('button', { name: 'Your state: Available' }).waitFor()
    const sues = await signIn(sue, '/live?show=calls', sueHz)
    await takeACall(amaras, sues)
    await findRecording(sues)
    await answerAText(amaras)
    expect(problems.flat()).to.eql([])
  })

  async function makeTeam(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'New team' }).first().click()
    const form = page.getByRole('dialog', { name: 'New team' })
    await form.getByLabel('Name').fill('Support')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Support' }).waitFor()
  }

  /** Makes an agent of the team; tells how they sign in. */
  async function makeAgent(page: Page, name: string, username: string, role?: string): Promise<ConsoleAgent> {
    await goTo(page, 'Agents')
    await page.getByRole('button', { name: 'New agent' }).first().click()
    const form = page.getByRole('dialog', { name: 'New agent' })
    await form.getByLabel(/^Name/).fill(name)
    const send = await form.getByRole('button', { name: 'New agent' }).boundingBox()
    const height = page.viewportSize()?.height ?? 0
    expect((send?.y ?? Infinity) + (send?.height ?? 0), 'the button is in sight').to.be.at.most(height)
    await form.getByLabel('Username').fill(username)
    if (role) {
      await form.getByRole('combobox', { name: 'Role' }).click()
      await page.getByRole('option', { name: role }).click()
    }
    await form.getByRole('button', { name: 'New agent' }).click()
    const sheet = page.getByRole('dialog', { name: `How ${name} signs in` })
    const password = (await sheet.locator('code').last().textContent()) ?? ''
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await pick(page.getByRole('main'), 'Team', 'Supp', 'Support')
    await page.getByRole('button', { name: 'Put into the team' }).click()
    await page.getByRole('link', { name: 'Support' }).waitFor()
    return { id: '', username, password }
  }

  /** Callers are recorded, and wait for the team. */
  async function drawFlow(page: Page): Promise<void> {
    await goTo(page, 'Call flows')
    await page.getByRole('link', { name: 'New flow' }).first().click()
    await page.getByRole('link', { name: 'Blank flow' }).click()
    const form = page.getByRole('region', { name: 'Blank flow' })
    await form.getByLabel('Title').fill('Reception')
    await form.getByRole('button', { name: 'New flow' }).click()
    await page.getByRole('heading', { level: 1, name: 'Reception' }).waitFor()
    await addStep(page, 'start', 'Record the call')
    await addStep(page, 'recording', 'Ring a team')
    const settings = page.getByRole('region', { name: 'Settings of the step' })
    await settings.getByLabel('Team').first().click()
    await page.getByRole('option', { name: 'Support' }).click()
    await settings.getByRole('switch', { name: 'Callers wait in a queue' }).click()
    await page.getByRole('button', { name: 'No problems' }).waitFor()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('No number uses it yet').waitFor()
  }

  async function addStep(page: Page, after: string, type: string): Promise<void> {
    const canvas = page.getByRole('main')
    await canvas
      .getByRole('button', { name: `Add a step after ${after}, on then` })
      .first()
      .click()
    const palette = page.getByRole('dialog', { name: 'Add a step' })
    await palette.getByLabel('Find a type of step').fill(type)
    await palette.getByRole('button', { name: type }).click()
    await palette.waitFor({ state: 'detached' })
  }

  /** Connects the number by a trunk that is made within, and has the flow take its calls. */
  async function connectNumber(page: Page): Promise<void> {
    await goTo(page, 'Numbers')
    await page.getByRole('button', { name: 'Connect a number' }).first().click()
    const form = page.getByRole('dialog', { name: 'Connect a number' })
    await form.getByLabel('Title').fill('Main line')
    await form.getByLabel('Number without its country code').fill('202 555 0123')
    const within = async (name: string, fill: (part: Locator) => Promise<void>) => {
      await form.getByRole('button', { name }).click()
      const part = page.getByRole('dialog', { name })
      await part.getByLabel('Title').fill('Carrier')
      await fill(part)
      await part.getByRole('button', { name: 'Save' }).click()
      await part.waitFor({ state: 'detached' })
    }
    await within('New access list', async (acl) => acl.getByLabel('Address or block 1').fill('127.0.0.1'))
    await within('New gateway', async (gateway) => {
      await gateway.getByLabel('Caller ID').fill(number)
      await gateway.getByLabel('Host or IP address').fill('127.0.0.1')
    })
    await form.getByRole('button', { name: 'Connect a number' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: number }).click()
    await page.getByRole('heading', { level: 1, name: number }).waitFor()
    await pick(page.getByRole('main'), 'Call flow', 'Rec', 'Reception')
    await pick(page.getByRole('main'), 'Teams', 'Supp', 'Support')
    // The list of a field that takes several stays open.
    await page.keyboard.press('Escape')
    await saves(page, async () => page.getByRole('button', { name: 'Save' }).click())
  }

  /** Somebody's page, in a browser of their own. */
  async function signIn(agent: ConsoleAgent, path: string, hz: number): Promise<Page> {
    const context = await bench.context()
    await singing(context, hz)
    const opened = await bench.agent(agent, path, context)
    problems.push(opened.problems)
    return opened.page
  }

  /** The caller's end sends back what it hears, so that Amara hears herself, and whatever else reaches the caller. */
  async function takeACall(amaras: Page, sues: Page): Promise<void> {
    const { sipHost, sipPort } = bench.appliance.kamailio!.options
    const remote = `${sipHost}:${sipPort}`
    const keys = { caller, target: `sip:${number}@${remote}` }
    const sipp = await Sipp.start({ scenario: 'caller', remote, keys, echo: true })
    try {
      const dock = amaras.getByRole('region', { name: 'Phone' })
      await dock.getByRole('alert').getByText(`Incoming call from ${caller}`).waitFor()
      await dock.getByRole('button', { name: 'Answer' }).click()
      await dock.getByText('Talking', { exact: true }).waitFor()
      await pageHears(amaras, amaraHz)

      const call = sues.getByRole('table', { name: 'Calls' }).getByRole('row', { name: caller })
      await call.getByRole('button', { name: /^Whisper/ }).click()
      await pageHears(sues, amaraHz)
      await pageHears(amaras, sueHz)
      await pageHears(amaras, amaraHz)
      await call.getByRole('button', { name: /^Stop/ }).click()
      await pageHears(amaras, sueHz, false)

      await dock.getByRole('button', { name: 'Hang up' }).click()
      expect(await sipp.finished(10_000), await sipp.errors()).to.equal(true)
      await sues.getByText('No calls at the moment').waitFor()
    } finally {
      await sipp.stop()
    }
  }

  /** The call is in the history of the team; its recording has what the caller heard, and so not the supervisor. */
  async function findRecording(page: Page): Promise<void> {
    await goTo(page, 'History')
    await page.getByRole('combobox', { name: 'Whose calls' }).click()
    await page.getByRole('option', { name: 'Support' }).click()
    const call = page.getByRole('table').getByRole('row', { name: caller })
    await call.getByText('Amara Okafor').waitFor()
    await call.getByRole('link').click()
    await page.getByRole('button', { name: 'Play' }).waitFor()
    const callId = /call_\w+/.exec(page.url())?.[0] ?? ''
    const { api } = bench.workspace
    const sound = await soundOf(api, await recordingIs(api, callId, 'ready'))
    const [heard] = sound.channels
    expect(loudest(heard!, amaraHz)).to.be.greaterThan(0.5)
    expect(loudest(heard!, sueHz)).to.be.lessThan(0.05)
  }

  /** The operator has given the number a carrier of texts. */
  async function answerAText(page: Page): Promise<void> {
    const { appliance, workspace } = bench
    const [{ id }] = (await succeed(workspace.api.get('/phone-numbers'))).data
    const settings = { host: '127.0.0.1', port: smsc.port, system_id: 'jackfield', password: 'secret' }
    const carrier_ids = [await newCarrier(appliance, { settings })]
    const path = carriersPath(workspace, id as string)
    await succeed(appliance.operator.put(path, { carrier_ids }))
    // The call that came in made it take calls; only a verified number sends texts.
    await succeed(appliance.operator.post(path.replace(/carriers$/, 'activate')))
    const ref = await smsc.deliver({ from: client.slice(1), to: number.slice(1), text: 'Are you open?' })
    expect((await smsc.answerTo(ref, 60_000)).status).to.equal(0)

    await goTo(page, 'Inbox')
    await page.getByRole('list', { name: 'Conversations' }).getByText('Are you open?').click()
    await page.getByLabel(`Write to ${client}`).fill('Until five.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await smsc.until('the reply', () => smsc.taken.some(({ text }) => text === 'Until five.'))
    expect(smsc.taken.at(-1)).to.deep.include({ from: number.slice(1), to: client.slice(1) })
  }
})
