/** The phone of the agent’s desk, on a real FreeSWITCH: who rings, who hears whom, and what an agent does with a call. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { findFreeswitch } from '../../../server/dist/test/support/freeswitch.js'
import { longestSilence, recordingIs, soundOf } from '../../../server/dist/test/recordings/recorded.js'
import { toneLevel } from '../../../server/dist/test/support/tone.js'
import { type TeamBench, hearing } from '../../../server/dist/test/support/team-bench.js'
import type { ConsoleBench } from './support/console-bench.js'
import { DeskPhone, annaHz, callerHz, silent } from './support/desk-phone.js'
import { looksGood } from './support/looks.js'
import { ringsHeard, streamIsNew, suffers } from './support/page-faults.js'
import { SlowConsent, microphonesUsed, pageHears, refuseMicrophone } from './support/page-sound.js'

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
  let desk: DeskPhone
  let page: Page
  let dock: Locator
  let team: TeamBench
  let bench: ConsoleBench

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    desk = await DeskPhone.start(keepNotices)
    ;({ page, dock, team, bench } = desk)
  })
  after(async () => desk?.stop())
  afterEach(() => desk.expectNoProblems())

  it('should ring on every page, answer with a click, and let both hear each other', async () => {
    await looksGood(page, 'phone')
    await page.goto(`${bench.url}/phone`)
    await desk.isFree()
    const caller = await team.call(callerHz)
    await dock.getByRole('alert').getByText('Incoming call from +12125550123').waitFor()
    await dock.getByRole('alert').getByText('0123', { exact: true }).waitFor()
    expect(caller.state).to.equal('ringing')
    await desk.inState('Ringing')
    expect(await page.title()).to.equal('Incoming call from +12125550123')
    await looksGood(page, 'phone-ringing')
    for (const width of [1280, 1440, 2560]) {
      await page.setViewportSize({ width, height: 900 })
      await eventually(
        async () => {
          const [phone, content] = await Promise.all([
            dock.boundingBox(),
            page.getByRole('region', { name: 'Call', exact: true }).boundingBox(),
          ])
          return phone!.x - (content!.x + content!.width)
        },
        (room) => room > 0,
        { what: `a column of its own for the phone at ${width} px` },
      )
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await desk.press('Answer')
    expect(await caller.answered()).to.equal(200)
    await Promise.all([hearing(caller, annaHz, 'the caller hears Anna'), pageHears(page, callerHz)])
    await dock.getByText('Talking', { exact: true }).waitFor()
    expect(await dock.locator(':focus').count(), 'focus in the dock').to.equal(1)
    await desk.inState('In a call')
    await looksGood(page, 'phone-talking')
    await desk.press('Hang up')
    expect(await caller.over()).to.equal('BYE')
    await dock.getByText('Call ended').waitFor()
    expect(await microphonesUsed(page)).to.equal(0)
    await page
      .getByRole('region', { name: 'Your calls' })
      .getByRole('button', { name: 'Call +12125550123' })
      .first()
      .waitFor()
  })

  it('should mute, hold, and press keys for the caller', async () => {
    const caller = await desk.talk()
    await desk.muteAndUnmute(caller)

    await desk.press('Hold')
    await dock.getByText('On hold').waitFor()
    await pageHears(page, callerHz, false)
    await silent(caller, annaHz)
    await desk.press('Back to the talk')
    await pageHears(page, callerHz)

    await desk.press('Keypad')
    await desk.press('5')
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

  it('should show that the call is recorded, pause that in silence, and know it after a reload', async () => {
    const agent = { agent_id: desk.anna.id, timeout: 300 }
    await team.inbound.runs([
      { id: 'record', type: 'recording', next: { default: 'anna' } },
      { id: 'anna', type: 'connect_agent', params: agent },
    ])
    try {
      const caller = await desk.talk()
      const callId = await desk.callId()
      await dock.getByText('Recording', { exact: true }).waitFor()
      await dock
        .getByText(/^0:0[1-9]$/)
        .first()
        .waitFor()
      const { api } = team.phones
      await api.patch('/profile', { agents_pause_recordings: false })
      const refused = await (
        await desk.apiOf(desk.anna)
      ).post(
        `/call-center/calls/${callId}/recordings/${(await recordingIs(api, callId, 'recording')).id}/pause`,
      )
      expect(refused.status, 'where agents may not').to.equal(403)
      await api.patch('/profile', { agents_pause_recordings: true })
      await desk.press('Pause recording')
      await dock.getByText('Recording paused').waitFor()
      const board = (await api.get('/live')).body as { calls: { recording: { is_paused: boolean } | null }[] }
      expect(board.calls.map(({ recording }) => recording?.is_paused)).to.deep.equal([true])
      await desk.reload()
      await dock.getByText('Recording paused').waitFor()
      await desk.bothHear(caller)
      await desk.press('Resume recording')
      await dock.getByText('Recording', { exact: true }).waitFor()
      await looksGood(page, 'phone-recording')
      await sleep(1_200)
      await caller.hangUp()
      await dock.getByText('Call ended').waitFor()
      const recording = await recordingIs(api, callId, 'ready')
      const [pcm = new Int16Array()] = (await soundOf(api, recording)).channels
      expect(longestSilence(pcm), 'seconds of silence').to.be.above(1)
      for (const hz of [callerHz, annaHz]) {
        expect(toneLevel(pcm.subarray(-8_000), hz), `${hz} Hz at the end`).to.be.above(0.3)
      }
      const timeline = await team.inbound.timeline(callId)
      const paused = timeline.find(({ event }) => event === 'call.recording_paused')
      expect(paused?.details).to.include({ recording_id: recording.id, agent_id: desk.anna.id })
    } finally {
      await team.leadsTo('connect_agent', agent)
    }
  })

  it('should answer, mute and hang up by keys', async () => {
    await desk.isFree()
    const caller = await team.call(callerHz)
    await dock.getByRole('button', { name: 'Answer' }).waitFor()
    await page.keyboard.press('Alt+Shift+A')
    expect(await caller.answered()).to.equal(200)
    await dock.getByText('Talking', { exact: true }).waitFor()
    await page.keyboard.press('Alt+Shift+M')
    await dock.getByText('Muted', { exact: true }).waitFor()
    await page.keyboard.press('Alt+Shift+H')
    expect(await caller.over()).to.equal('BYE')

    await desk.isFree()
    const other = await team.call(callerHz)
    await dock.getByRole('button', { name: 'Decline' }).waitFor()
    await page.keyboard.press('Alt+Shift+H')
    expect(await other.answered(), 'a ringing call is declined').to.be.at.least(400)
    await dock.waitFor({ state: 'hidden' })
  })

  it('should decline a call, and let go of one whose caller has hung up', async () => {
    await desk.isFree()
    // Also over a dialog that is open.
    await page.keyboard.press('Control+k')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    const caller = await team.call(callerHz)
    await desk.press('Decline')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await caller.answered()).to.be.at.least(400)
    await dock.waitFor({ state: 'hidden' })

    await desk.isFree()
    const other = await team.call(callerHz)
    await dock.getByRole('button', { name: 'Answer' }).waitFor()
    other.phone.cancel(other)
    await dock.waitFor({ state: 'hidden' })
  })

  it('should decline by hanging up while it connects, and ring on when that fails', async () => {
    const caller = await desk.ring()
    const connecting = dock.getByText('Connecting', { exact: true })
    // A WebSocket that does not open.
    await page.evaluate(() => {
      const { WebSocket: real } = window
      const dead = { readyState: 0, close: () => undefined, send: () => undefined }
      const late = Object.assign(
        class {
          constructor() {
            return dead
          }
        },
        { OPEN: 1, CONNECTING: 0 },
      )
      Object.assign(window, { WebSocket: late, openAgain: () => Object.assign(window, { WebSocket: real }) })
    })
    // The second click of a double click is for nothing.
    await dock.getByRole('button', { name: 'Answer' }).dblclick()
    await connecting.waitFor()
    await page.keyboard.press('Alt+Shift+H')
    expect(await caller.answered()).to.be.at.least(400)
    await page.evaluate(() => (window as unknown as { openAgain: () => void }).openAgain())
    await dock.getByText('Call ended').waitFor()
    expect(await dock.getByRole('button', { name: 'Answer' }).count()).to.equal(0)

    const other = await desk.ring()
    await suffers.isCutOff(page, true)
    await desk.press('Answer')
    await dock.getByText('The call was cut').waitFor()
    await suffers.isCutOff(page, false)
    await desk.press('Answer')
    await desk.bothHear(other)
    await desk.press('Hang up')
    expect(await other.over()).to.equal('BYE')
  })

  it('should let go of a call that rings no more, where that was not told', async () => {
    for (const way of ['decline', 'come back']) {
      await desk.isFree()
      const caller = await team.call(callerHz)
      await dock.getByRole('button', { name: 'Answer' }).waitFor()
      await suffers.deaf(page, ['call.canceled', 'call.ended'])
      caller.phone.cancel(caller)
      await team.inbound.bench.ended(await desk.callId())
      expect(await dock.isVisible()).to.equal(true)
      await (way === 'decline' ? desk.press('Decline') : streamIsNew(page))
      await dock.waitFor({ state: 'hidden' })
      await suffers.deaf(page, [])
    }
  })

  it('should ring in every window, notify once, and stop in all when one has the call', async () => {
    await desk.isFree()
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
    await desk.isFree()
    const caller = await team.call(callerHz)
    await refuseMicrophone(page, true)
    await desk.press('Answer')
    await dock.getByText('The browser may not use the microphone.').waitFor()
    expect(caller.state).to.equal('ringing')
    await refuseMicrophone(page, false)
    await desk.press('Answer')
    expect(await caller.answered()).to.equal(200)
    await caller.hangUp()
  })

  it('should let go of a microphone that comes when nobody waits for it any more', async () => {
    const caller = await desk.ring()
    let consent = await SlowConsent.on(page)
    await desk.press('Answer')
    await consent.asked()
    caller.phone.cancel(caller)
    await dock.waitFor({ state: 'hidden' })
    await consent.comesTooLate()

    const other = await desk.ring()
    consent = await SlowConsent.on(page)
    await desk.press('Answer')
    await consent.asked()
    await desk.press('Decline')
    expect(await other.answered()).to.be.at.least(400)
    await consent.comesTooLate()
    await dock.waitFor({ state: 'hidden' })

    consent = await SlowConsent.on(page)
    await page.getByRole('button', { name: 'Test the microphone' }).click()
    await consent.asked()
    await page.getByRole('link', { name: 'Inbox', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    await consent.comesTooLate()
    await page.goto(`${bench.url}/phone`)
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

  it('should count missed calls in the menu, by the names of contacts, until they are done', async () => {
    await desk.isFree()
    const withheld = (await team.inbound.caller({ username: 'anonymous' })).call(team.inbound.number)
    await dock.getByRole('button', { name: 'Answer' }).waitFor()
    withheld.phone.cancel(withheld)
    const contact = { name: 'Maria Miller', numbers: ['+12125550123'] }
    const { id } = (await team.phones.api.post('/contacts', contact)).body as { id: string }
    await desk.isFree()
    const caller = await team.call(callerHz)
    await dock.getByRole('alert').getByText('Incoming call from Maria Miller').waitFor()
    caller.phone.cancel(caller)
    const entry = page.getByRole('navigation').getByRole('link', { name: 'Missed calls' })
    const badge = entry.getByLabel(/^\d+ missed calls?$/)
    await badge.waitFor()
    await looksGood(page, 'phone-missed')
    await page.waitForFunction(() => /^\(\d+\) Phone · Jackfield$/.test(document.title))
    await entry.click()
    const table = page.getByRole('table', { name: 'Missed calls' })
    const row = table.getByRole('row').filter({ hasText: 'Maria Miller' }).first()
    await row.getByText('Abandoned while ringing').waitFor()
    await row.getByText('Anna Smith').waitFor()
    await row.getByRole('button', { name: 'Call Maria Miller' }).waitFor()
    // Also what the others declined.
    const before = (await table.getByRole('row').count()) - 1
    await eventually(
      async () => Number(await badge.textContent()),
      (count) => count === before,
      { what: `${before} in the badge` },
    )
    await looksGood(page, 'missed')
    // The table is drawn again once the window has its size back.
    await eventually(
      async () => table.getByRole('button', { name: /^Call / }).count(),
      (count) => count === before - 1,
      { what: 'a call back of all numbers but the withheld one' },
    )
    // The page hears of what is marked elsewhere.
    const annas = await desk.apiOf(desk.anna)
    const { body } = await annas.get('/call-center/missed-calls')
    const [latest] = body.data as { call_id: string }[]
    await annas.put(`/call-center/missed-calls/${latest?.call_id}/handled`)
    await entry.getByLabel(`${before - 1} missed call`).waitFor()
    // The table hears of it by a request of its own.
    await eventually(
      async () => (await table.getByRole('row').count()) - 1,
      (count) => count === before - 1,
      { what: 'a table without that call' },
    )
    await table.getByRole('button', { name: 'Mark as done' }).first().click()
    const left = before - 2
    expect(left).to.be.above(0)
    await entry.getByLabel(`${left} missed call`).waitFor()
    await eventually(
      async () => (await table.getByRole('row').count()) - 1,
      (count) => count === left,
      { what: 'a table without that one either' },
    )
    // And the others at once.
    await page.getByRole('checkbox', { name: 'Choose all of this page' }).click()
    const chosen = page.getByRole('region', { name: `${left} chosen` })
    await chosen.getByRole('button', { name: 'Mark as done' }).click()
    const question = page.getByRole('dialog', { name: new RegExp(`^Mark ${left} calls? as done\\?$`) })
    await question.getByRole('button', { name: 'Mark as done' }).click()
    await page.getByText('No missed calls').waitFor()
    expect(await badge.count()).to.equal(0)
    await page.getByText('Done', { exact: true }).first().click()
    await table.getByText('Done by Anna Smith').first().waitFor()
    await page.goto(`${bench.url}/phone`)
    const recent = page.getByRole('region', { name: 'Your calls' })
    await recent.getByRole('img', { name: 'Missed' }).first().waitFor()
    await team.phones.api.delete(`/contacts/${id}`)
  })

  it('should play a voicemail that a caller leaves, and keep it until it is done', async () => {
    const leads = async (nodes: object[]) => team.inbound.runs(nodes as never)
    await leads([
      {
        id: 'to',
        type: 'connect_agent',
        params: { agent_id: desk.anna.id, timeout: 1 },
        next: { no_answer: 'mail' },
      },
      { id: 'mail', type: 'voicemail', params: { beep: false } },
    ])
    await desk.isFree()
    const caller = await team.call(callerHz)
    expect(await caller.answered()).to.equal(200)
    await eventually(
      async () => (await team.phones.api.get('/recordings?kind=voicemail')).body.data as unknown[],
      (list) => list.length === 1,
      { what: 'voicemail', withinMs: 20_000 },
    )
    await sleep(2_000)
    await caller.hangUp()
    const entry = page.getByRole('navigation').getByRole('link', { name: 'Voicemail' })
    await entry.getByLabel('1 new voicemail').waitFor()
    await entry.click()
    const card = page.getByRole('listitem', { name: 'Voicemail of +12125550123' })
    await card.getByText('New').waitFor()
    await looksGood(page, 'voicemails')
    await card.getByRole('button', { name: 'Play' }).click()
    await page.waitForFunction(() => (document.querySelector('audio')?.currentTime ?? 0) > 0.3)
    await entry.getByLabel('new voicemail').waitFor({ state: 'detached' })
    await looksGood(page, 'voicemails-playing')
    await card.getByRole('button', { name: 'Mark as done' }).click()
    await page.getByText('No open voicemail').waitFor()
    await page.getByText('Done', { exact: true }).first().click()
    await page.getByText('Done by Anna Smith').waitFor()
    await page.getByRole('checkbox', { name: 'Choose +12125550123' }).click()
    await looksGood(page, 'voicemails-chosen')
    await page.getByRole('region', { name: '1 chosen' }).getByRole('button', { name: 'Open again' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Open again' }).click()
    await page.getByText('No voicemail is done yet').waitFor()
    await page.getByText('Open', { exact: true }).first().click()
    await card.getByRole('button', { name: 'Mark as done' }).waitFor()
  })
})
