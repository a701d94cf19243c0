/** The phone of the agent's desk, on a real FreeSWITCH: who rings, who hears whom, and what an agent does with a call. */
import { expect } from 'chai'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { findFreeswitch } from '../../../server/dist/test/support/freeswitch.js'
import { type PhoneDialog, hears } from '../../../server/dist/test/support/phone-dialog.js'
import { password } from '../../../server/dist/test/support/phone-bench.js'
import { TeamBench, type Worker, hearing } from '../../../server/dist/test/support/team-bench.js'
import { type ConsoleAgent, ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'
import { blockMedia, cutSocket, faulty, ringsHeard, streamIsNew, suffers } from './support/page-faults.js'
import {
  changeDevices,
  microphonesGiven,
  pageHears,
  pageSends,
  refuseMicrophone,
  singing,
  unplugMicrophone,
} from './support/page-sound.js'

const callerHz = 440
const annaHz = 900
const benHz = 1_300

/** Keeps the notifications that pages show, for {@link noticesOf}. */
async function keepNotices(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const notices: string[] = []
    const Kept = class {
      static permission = 'granted'
      onclick = null
      constructor(title: string, { body }: { body: string }) {
        notices.push(`${title} ${body}`)
      }
      close(): void {
        notices.push('closed')
      }
    }
    Object.assign(window, { notices, Notification: Kept })
  })
}

const noticesOf = async (page: Page) =>
  page.evaluate(() => (window as unknown as { notices: string[] }).notices.splice(0))

describe('The desk’s phone', function () {
  this.timeout(180_000)
  let team: TeamBench
  let bench: ConsoleBench
  let anna: ConsoleAgent
  let ben: Worker
  let salesId: string
  let page: Page
  let dock: Locator
  let problems: string[] | undefined

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    team = await TeamBench.start({ settings: { JACKFIELD_RATE_LIMITS_AUTH: '10000' } })
    bench = await ConsoleBench.on(team.inbound.bench.workspace)
    anna = await bench.makeAgent('anna', { display_name: 'Anna Smith' })
    ben = await team.worker('ben', benHz)
    const { api } = team.phones
    const sales = await api.post('/teams', { name: 'Sales' })
    for (const id of [anna.id, ben.agent.id]) await api.put(`/teams/${sales.body.id as string}/agents/${id}`)
    salesId = sales.body.id as string
    // It rings on while a page is looked at in both themes, on a machine that is busy.
    await team.leadsTo('connect_agent', { agent_id: anna.id, timeout: 300 })
    const context = await bench.context()
    await singing(context, annaHz)
    await keepNotices(context)
    await faulty(context)
    const opened = await bench.agent(anna, '/phone', context)
    ;({ page, problems } = opened)
    dock = page.getByRole('region', { name: 'Phone' })
    await inState('Available')
  })
  after(async () => {
    await bench?.browser.close()
    await team?.stop()
  })
  afterEach(() => {
    // What the API refuses is in the browser's console, too.
    const unexpected = problems
      ?.splice(0)
      .filter((problem) => !/40[04] \((Bad Request|Not Found)\)/.test(problem))
    expect(unexpected ?? []).to.eql([])
  })

  const inState = async (state: string) =>
    page.getByRole('button', { name: `Your state: ${state}` }).waitFor()

  const isFree = async () => {
    await inState('Available')
    await eventually(
      async () => team.state(ben),
      (state) => state === 'available',
      { what: 'ben available' },
    )
    ben.phone.onCall = 'answer'
  }

  const press = async (name: string) => dock.getByRole('button', { name, exact: true }).click()

  /** Waits until what a party hears has no tone in it any more. */
  const silent = async (dialog: PhoneDialog, hz: number) =>
    eventually(
      async () => Promise.resolve(hears(dialog, hz)),
      (level) => level < 0.1,
      { what: `${hz} Hz not heard` },
    )

  /** A caller whom Anna talks with. */
  async function talk(): Promise<PhoneDialog> {
    await isFree()
    const caller = await team.call(callerHz)
    await press('Answer')
    expect(await caller.answered()).to.equal(200)
    await Promise.all([hearing(caller, annaHz, 'the caller hears Anna'), pageHears(page, callerHz)])
    return caller
  }

  const muteAndUnmute = async (caller: PhoneDialog) => {
    await press('Mute')
    await dock.getByText('Muted', { exact: true }).waitFor()
    await silent(caller, annaHz)
    await pageHears(page, callerHz)
    await press('Unmute')
    await hearing(caller, annaHz, 'the caller hears Anna again')
  }

  const callId = async () => team.inbound.lastCallId()

  it('should ring on every page, answer with a click, and let both hear each other', async () => {
    await looksGood(page, 'phone')
    await page.goto(`${bench.url}/phone`)
    await isFree()
    const caller = await team.call(callerHz)
    await dock.getByRole('alert').getByText('Incoming call from +12125550123').waitFor()
    expect(caller.state).to.equal('ringing')
    await looksGood(page, 'phone-ringing')
    await press('Answer')
    expect(await caller.answered()).to.equal(200)
    await Promise.all([hearing(caller, annaHz, 'the caller hears Anna'), pageHears(page, callerHz)])
    await dock.getByText('Talking', { exact: true }).waitFor()
    expect(await dock.locator(':focus').count(), 'focus in the dock').to.equal(1)
    await inState('In a call')
    await looksGood(page, 'phone-talking')
    await press('Hang up')
    expect(await caller.over()).to.equal('BYE')
    await dock.getByText('Call ended').waitFor()
    await page
      .getByRole('region', { name: 'Your calls' })
      .getByRole('button', { name: 'Call +12125550123' })
      .first()
      .waitFor()
  })

  it('should mute, hold, and press keys for the caller', async () => {
    const caller = await talk()
    await muteAndUnmute(caller)

    await press('Hold')
    await dock.getByText('On hold').waitFor()
    await pageHears(page, callerHz, false)
    await silent(caller, annaHz)
    await press('Back to the talk')
    await pageHears(page, callerHz)

    await press('Keypad')
    await press('5')
    await page.keyboard.press('#')
    await eventually(
      async () =>
        Promise.resolve(
          caller.phone.ear
            .heard()
            .map(({ keys }) => keys)
            .join(''),
        ),
      (keys) => keys === '5#',
      { what: 'keys 5#' },
    )
    await caller.hangUp()
    await dock.getByText('Call ended').waitFor()
  })

  it('should answer, mute and hang up by keys', async () => {
    await isFree()
    const caller = await team.call(callerHz)
    await dock.getByRole('button', { name: 'Answer' }).waitFor()
    await page.keyboard.press('Alt+Shift+A')
    expect(await caller.answered()).to.equal(200)
    await dock.getByText('Talking', { exact: true }).waitFor()
    await page.keyboard.press('Alt+Shift+M')
    await dock.getByText('Muted', { exact: true }).waitFor()
    await page.keyboard.press('Alt+Shift+H')
    expect(await caller.over()).to.equal('BYE')
  })

  it('should decline a call, and let go of one whose caller has hung up', async () => {
    await isFree()
    const caller = await team.call(callerHz)
    await press('Decline')
    expect(await caller.answered()).to.be.at.least(400)
    await dock.waitFor({ state: 'hidden' })

    await isFree()
    const other = await team.call(callerHz)
    await dock.getByRole('button', { name: 'Answer' }).waitFor()
    other.phone.cancel(other)
    await dock.waitFor({ state: 'hidden' })
  })

  it('should let go of a call that rings no more, where that was not told', async () => {
    for (const way of ['decline', 'come back']) {
      await isFree()
      const caller = await team.call(callerHz)
      await dock.getByRole('button', { name: 'Answer' }).waitFor()
      await suffers.deaf(page, ['call.canceled'])
      caller.phone.cancel(caller)
      await team.inbound.bench.ended(await callId())
      expect(await dock.isVisible()).to.equal(true)
      await (way === 'decline' ? press('Decline') : streamIsNew(page))
      await dock.waitFor({ state: 'hidden' })
      await suffers.deaf(page, [])
    }
  })

  it('should ring in every window, notify once, and stop in all when one has the call', async () => {
    await isFree()
    const other = await bench.open(`${bench.url}/phone`, page.context())
    const otherDock = other.page.getByRole('region', { name: 'Phone' })
    await other.page.getByRole('button', { name: 'Your state: Available' }).waitFor()
    const pages = [page, other.page]
    await Promise.all(pages.map(noticesOf))
    const heard = async () => Promise.all(pages.map(ringsHeard))
    const before = await heard()
    // Another window rings, as long as it is open.
    await page.evaluate(() => {
      void navigator.locks.request(
        'jackfield.ringer',
        async () =>
          new Promise((resolve) => {
            Object.assign(window, { closes: resolve })
          }),
      )
    })
    const caller = await team.call(callerHz)
    for (const one of [dock, otherDock]) await one.getByRole('button', { name: 'Answer' }).waitFor()
    expect(await heard()).to.eql(before)
    await page.evaluate(() => (window as unknown as { closes: () => void }).closes())
    await eventually(
      heard,
      (now) => now.filter((rings, index) => rings > (before[index] ?? 0)).length === 1,
      {
        what: 'one window that rings',
      },
    )
    // Whoever sees a window needs no notification.
    expect((await Promise.all(pages.map(noticesOf))).flat()).to.eql([])
    for (const one of pages) await suffers.isAside(one, true)
    await eventually(
      async () =>
        Promise.all(
          pages.map(async (one) =>
            one.evaluate(() => (window as unknown as { notices: string[] }).notices.length),
          ),
        ),
      (counts) => counts.join('') !== '00',
      { what: 'a notification' },
    )
    await otherDock.getByRole('button', { name: 'Answer' }).click()
    expect(await caller.answered()).to.equal(200)
    await dock.waitFor({ state: 'hidden' })
    await Promise.all([hearing(caller, annaHz, 'the caller hears Anna'), pageHears(other.page, callerHz)])
    const notices = (await Promise.all(pages.map(noticesOf))).flat()
    expect(notices).to.eql(['Incoming call from +12125550123 to Main', 'closed'])
    const dial = page
      .getByRole('region', { name: 'Call', exact: true })
      .getByRole('button', { name: 'Call', exact: true })
    expect(await dial.isDisabled(), 'a call beside that of another window').to.equal(true)
    await caller.hangUp()
    await otherDock.getByText('Call ended').waitFor()
    await eventually(async () => dial.isEnabled(), Boolean, { what: 'calls after that of another window' })
    expect(other.problems).to.eql([])
    for (const one of pages) await suffers.isAside(one, false)
    await other.page.close()
  })

  it('should say why the microphone is not to be had, and ring on', async () => {
    await isFree()
    const caller = await team.call(callerHz)
    await refuseMicrophone(page, true)
    await press('Answer')
    await dock.getByText('The browser may not use the microphone.').waitFor()
    expect(caller.state).to.equal('ringing')
    await refuseMicrophone(page, false)
    await press('Answer')
    expect(await caller.answered()).to.equal(200)
    await caller.hangUp()
  })

  const reload = async () => {
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
  }

  it('should go on with a call from page to page, and after the page is loaded anew', async () => {
    const caller = await talk()
    await reload()
    await dock.getByText('Talking', { exact: true }).waitFor()
    await Promise.all([hearing(caller, annaHz, 'the caller hears Anna again'), pageHears(page, callerHz)])
    await press('Mute')
    await silent(caller, annaHz)
    await reload()
    await dock.getByText('Muted', { exact: true }).waitFor()
    await pageHears(page, callerHz)
    await silent(caller, annaHz)
    await press('Unmute')
    await hearing(caller, annaHz, 'the caller hears Anna after a mute')
    await caller.hangUp()
  })

  it('should come back when the connection is lost or no sound comes through, and leave even then', async () => {
    const caller = await talk()
    await cutSocket(page)
    await dock.getByText('Connection lost, coming back').waitFor()
    await muteAndUnmute(caller)

    await blockMedia(page)
    await dock.getByText('Connection lost, coming back').waitFor()
    await dock.getByText('Talking', { exact: true }).waitFor()
    await Promise.all([hearing(caller, annaHz, 'the caller hears Anna anew'), pageHears(page, callerHz)])

    await cutSocket(page)
    await dock.getByText('Connection lost, coming back').waitFor()
    await press('Hang up')
    await dock.getByText('Call ended').waitFor({ timeout: 2_000 })
    expect(await caller.over()).to.equal('BYE')
  })

  it('should take another microphone when the one in use is unplugged, and say when there is none', async () => {
    const caller = await talk()
    const given = await microphonesGiven(page)
    await unplugMicrophone(page)
    await eventually(
      async () => microphonesGiven(page),
      (now) => now > given,
      { what: 'another microphone' },
    )
    await hearing(caller, annaHz, 'the caller hears the other microphone')
    await refuseMicrophone(page, true)
    await unplugMicrophone(page)
    await dock.getByRole('alert').getByText('The other side does not hear you.').waitFor()
    await looksGood(page, 'phone-microphone-lost')
    await pageSends(page)
    await silent(caller, annaHz)
    await refuseMicrophone(page, false)
    await changeDevices(page)
    await dock.getByRole('alert').waitFor({ state: 'hidden' })
    await hearing(caller, annaHz, 'the caller hears the new microphone')
    await caller.hangUp()
  })

  it('should hand a call over to a colleague who is chosen from the list', async () => {
    const caller = await talk()
    const before = ben.phone.incoming.length
    await press('Hand over')
    const form = page.getByRole('dialog', { name: 'Hand the call over' })
    await form.getByLabel('Colleague, team, extension or SIP account').click()
    await page.getByRole('option', { name: 'Agent ben (ben)' }).click()
    await form.getByLabel('Reason').fill('Wants a discount')
    await looksGood(page, 'phone-hand-over')
    await form.getByRole('button', { name: 'Hand over' }).click()
    const theirs = await ben.phone.called(before)
    await hearing(caller, benHz, 'the caller hears Ben')
    await hearing(theirs, callerHz, 'Ben hears the caller')
    await dock.getByText('Handed over').waitFor()
    await caller.hangUp()
    await team.inbound.toldOfTransfer(await callId(), 'completed')
  })

  it('should say that a target refuses, speak with one first, take the caller back, and join them', async () => {
    const caller = await talk()
    const handOver = async (target: string, consult: boolean) => {
      await press('Hand over')
      const form = page.getByRole('dialog', { name: 'Hand the call over' })
      await form.getByLabel('Colleague, team, extension or SIP account').fill(target)
      if (consult) await form.getByLabel('Speak with them first').check()
      await form.getByRole('button', { name: 'Hand over' }).click()
      return form
    }
    const form = await handOver('nobody', false)
    await form
      .getByText(/nobody/)
      .first()
      .waitFor()
    await form.getByRole('button', { name: 'Cancel' }).click()

    ben.phone.onCall = 486
    await handOver('ben', false)
    await dock.getByText('ben is in a call: the caller is back with you.').waitFor()
    await pageHears(page, callerHz)
    await dock.getByRole('button', { name: 'Close this message' }).click()
    ben.phone.onCall = 'answer'

    let before = ben.phone.incoming.length
    await handOver('ben', true)
    await ben.phone.called(before)
    await pageHears(page, benHz)
    await pageHears(page, callerHz, false)
    await dock.getByText('You speak with ben; the caller waits.').waitFor()
    await reload()
    await pageHears(page, benHz)
    await press('Take the caller back')
    await dock.getByText('The caller is back with you.').waitFor()
    await pageHears(page, callerHz)
    await dock.getByRole('button', { name: 'Close this message' }).click()
    await team.inState(ben, 'available')

    before = ben.phone.incoming.length
    await handOver('ben', true)
    const theirs = await ben.phone.called(before)
    await pageHears(page, benHz)
    await press('Join them')
    await hearing(theirs, callerHz, 'Ben hears the caller')
    await dock.getByText('Handed over').waitFor()
    await caller.hangUp()
  })

  it('should call a colleague from the list, and numbers with the number that is chosen', async () => {
    await isFree()
    ben.phone.onCall = 'ring'
    const before = ben.phone.incoming.length
    const colleagues = page.getByRole('region', { name: 'Colleagues' })
    await colleagues.getByRole('listitem').filter({ hasText: 'Agent ben' }).getByText('Available').waitFor()
    await colleagues.getByRole('button', { name: 'Call Agent ben' }).click()
    const theirs = await ben.phone.called(before)
    await dock.getByText('Calling', { exact: true }).waitFor()
    ben.phone.accept(theirs)
    await dock.getByText('Talking', { exact: true }).waitFor()
    await Promise.all([hearing(theirs, annaHz, 'Ben hears Anna'), pageHears(page, benHz)])
    await colleagues.getByRole('listitem').filter({ hasText: 'Agent ben' }).getByText('In a call').waitFor()
    await press('Hang up')
    await theirs.over()

    await isFree()
    ben.phone.onCall = 486
    await colleagues.getByRole('button', { name: 'Call Agent ben' }).click()
    await dock.getByText('They are busy').waitFor()

    await isFree()
    const dial = page.getByRole('region', { name: 'Call', exact: true })
    await dial.getByLabel('Number, extension or username').fill('not somebody')
    await dial.getByRole('button', { name: 'Call', exact: true }).click()
    await dial
      .getByLabel('Number, extension or username')
      .and(page.locator('[aria-invalid="true"]'))
      .waitFor()
    await dial.getByLabel('Number, extension or username').fill('+1 (202) 555-0100')
    await dial.getByRole('combobox', { name: 'Number that is shown' }).click()
    await page.getByRole('option', { name: team.inbound.number }).click()
    await dial.getByRole('button', { name: 'Call', exact: true }).click()
    await dock.getByText('Talking', { exact: true }).waitFor()
    await press('Hang up')
    const record = await team.inbound.bench.ended(await callId())
    expect(record).to.include({ to: '+12025550100', from: team.inbound.number, agent_id: anna.id })
  })

  it('should begin with the number of a link, and call nobody before a click', async () => {
    await isFree()
    const calls = async () => (await team.phones.api.get('/calls?limit=1')).body.meta.total as number
    const before = await calls()
    const to = page.getByLabel('Number, extension or username')
    for (const [written, number] of [
      ['%2B12025550100', '+12025550100'],
      ['+12025550101', '+12025550101'],
      ['120', '120'],
    ] as const) {
      await page.goto(`${bench.url}/phone?to=${written}`)
      await page.getByRole('button', { name: 'Your state: Available' }).waitFor()
      expect(await to.inputValue()).to.equal(number)
    }
    expect(await calls()).to.equal(before)
    await page.goto(`${bench.url}/phone`)
    await isFree()
  })

  it('should tell others what one chooses, and show what others choose for one', async () => {
    await isFree()
    await page.getByRole('button', { name: 'Your state: Available' }).click()
    await page.getByRole('menuitemradio', { name: 'Busy' }).click()
    await inState('Busy')
    await eventually(
      async () => (await team.phones.api.get(`/agents/${anna.id}`)).body.state as string,
      (state) => state === 'busy',
      { what: 'Anna busy' },
    )
    await page.getByRole('button', { name: 'Your state: Busy' }).click()
    await looksGood(page, 'presence')
    await page.getByRole('menuitemradio', { name: 'Available' }).click()
    await inState('Available')

    await team.phones.api.patch(`/agents/${ben.agent.id}`, { role: 'leader' })
    const credentials = { username: 'ben', password, device_id: 'of-ben' }
    const { body } = await team.phones.api.with({ authorization: undefined }).post('/auth/login', credentials)
    const leader = team.phones.api.with({ authorization: `Bearer ${body.tokens.access_token as string}` })
    const forced = await leader.put(`/call-center/teams/${salesId}/agents/anna/state`, { state: 'offline' })
    expect(forced.status, JSON.stringify(forced.body)).to.equal(200)
    await inState('Offline')
    await page.getByRole('button', { name: 'Your state: Offline' }).click()
    await page.getByText('Somebody else has chosen this for you.').waitFor()
    await page.getByRole('menuitemradio', { name: 'Available' }).click()
    await inState('Available')
  })

  it('should let one choose and test microphone and speakers', async () => {
    const sound = page.getByRole('region', { name: 'Sound' })
    await sound.getByRole('button', { name: 'Test the microphone' }).click()
    await eventually(
      async () => Number(await sound.getByRole('meter').getAttribute('aria-valuenow')),
      (level) => level > 40,
      { what: 'level of the microphone' },
    )
    await sound.getByRole('button', { name: 'Stop' }).click()
    await sound.getByRole('combobox', { name: 'Microphone' }).click()
    await page.getByRole('option', { name: /Fake/ }).first().click()
    const chosen = await page.evaluate(() => localStorage.getItem('jackfield.sound'))
    expect(chosen).to.match(/"microphoneId":"\w+"/)
  })
})
