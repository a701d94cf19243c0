/** What goes wrong in calls of the desk’s phone: connections, pages and microphones that come and go. */
import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { findFreeswitch } from '../../../server/dist/test/support/freeswitch.js'
import { hearing } from '../../../server/dist/test/support/team-bench.js'
import { DeskPhone, annaHz, callerHz, silent } from './support/desk-phone.js'
import { looksGood } from './support/looks.js'
import { blockMedia, cutSocket, holdBackFrames, streamIsOpen, suffers } from './support/page-faults.js'
import {
  SlowConsent,
  microphonesUsed,
  changeDevices,
  microphonesGiven,
  pageHears,
  pageSends,
  refuseMicrophone,
  unplugMicrophone,
} from './support/page-sound.js'

describe('The desk’s phone when something fails', function () {
  this.timeout(180_000)
  let desk: DeskPhone
  let page: Page
  let dock: Locator

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    desk = await DeskPhone.start()
    ;({ page, dock } = desk)
  })
  after(async () => desk?.stop())
  afterEach(() => desk.expectNoProblems())

  /** When the talk began by what the dock shows, in milliseconds since 1970; and how long it lasts so far. */
  const talkTime = async () =>
    dock.getByText(/^\d+:\d\d$/).evaluate(({ textContent }) => {
      const [minutes = 0, seconds = 0] = textContent.split(':').map(Number)
      const lasted = (minutes * 60 + seconds) * 1_000
      return { lasted, began: Date.now() - lasted }
    })

  it('should go on with a call from page to page, and after the page is loaded anew', async () => {
    const caller = await desk.talk()
    const { began } = await eventually(talkTime, ({ lasted }) => lasted >= 6_000, { what: 'talk of 6 s' })
    await desk.reload()
    await dock.getByText('Talking', { exact: true }).waitFor()
    expect((await talkTime()).began).to.be.closeTo(began, 2_500)
    await Promise.all([hearing(caller, annaHz, 'the caller hears Anna again'), pageHears(page, callerHz)])
    await desk.press('Mute')
    await silent(caller, annaHz)
    await desk.reload()
    await dock.getByText('Muted', { exact: true }).waitFor()
    await pageHears(page, callerHz)
    await silent(caller, annaHz)
    await desk.press('Unmute')
    await hearing(caller, annaHz, 'the caller hears Anna after a mute')
    await caller.hangUp()
  })

  it('should come back when the connection is lost or no sound comes through, and leave even then', async () => {
    const caller = await desk.talk()
    await cutSocket(page)
    await dock.getByText('Connection lost, coming back').waitFor()
    await desk.muteAndUnmute(caller)

    await blockMedia(page)
    await dock.getByText('Connection lost, coming back').waitFor()
    await dock.getByText('Talking', { exact: true }).waitFor()
    await Promise.all([hearing(caller, annaHz, 'the caller hears Anna anew'), pageHears(page, callerHz)])

    await cutSocket(page)
    await dock.getByText('Connection lost, coming back').waitFor()
    await desk.press('Hang up')
    await dock.getByText('Call ended').waitFor({ timeout: 2_000 })
    expect(await caller.over()).to.equal('BYE')
  })

  it('should give up a call whose connection does not come back, and say so', async () => {
    await desk.isFree()
    // The clock of a browser is not its own any more: another one has it.
    const context = await desk.otherBrowser()
    await context.clock.install()
    const other = await desk.bench.agent(desk.anna, '/phone', context)
    const otherDock = other.page.getByRole('region', { name: 'Phone' })
    await other.page.getByRole('button', { name: 'Your state: Available' }).waitFor()
    await streamIsOpen(other.page)
    const caller = await desk.team.call(callerHz)
    await otherDock.getByRole('button', { name: 'Answer' }).click()
    await desk.bothHear(caller, other.page)
    await suffers.isCutOff(other.page, true)
    await cutSocket(other.page)
    await otherDock.getByText('Connection lost, coming back').waitFor()
    await context.clock.fastForward(15_000)
    await otherDock.getByText('Connection lost, coming back').waitFor()
    await context.clock.fastForward(16_000)
    await otherDock.getByText('The call was cut').waitFor()
    expect(await microphonesUsed(other.page)).to.equal(0)
    expect(other.problems).to.eql([])
    await context.close()
    await caller.hangUp()
  })

  it('should say in the call what the server refuses', async () => {
    const caller = await desk.talk()
    await desk.press('Keypad')
    const key = dock.getByRole('button', { name: '5', exact: true })
    // More than the server takes of an app at once (docs/integrate/apps.md).
    await key.evaluate((button) => {
      for (let count = 0; count < 75; count += 1) (button as HTMLElement).click()
    })
    const refusal = dock.getByRole('alert').getByText('too many frames')
    await refusal.waitFor()
    // A further one may come behind the first that is closed: each frame too many is refused.
    const close = dock.getByRole('button', { name: 'Close this message' })
    await eventually(
      async () => {
        if (await close.isVisible()) await close.click()
        return refusal.isHidden()
      },
      Boolean,
      { what: 'closed message' },
    )
    await desk.press('Hang up')
    expect(await caller.over()).to.equal('BYE')
  })

  it('should let go of the microphone that takes the place of another when the call is over', async () => {
    const caller = await desk.talk()
    const consent = await SlowConsent.on(page)
    await unplugMicrophone(page)
    await consent.asked()
    await pageSends(page)
    await caller.hangUp()
    await dock.getByText('Call ended').waitFor()
    await consent.comesTooLate()
  })

  it('should take another microphone when the one in use is unplugged, and say when there is none', async () => {
    const caller = await desk.talk()
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

  it('should say in the talk that the microphone was lost before it began', async () => {
    const caller = await desk.ring()
    const given = await microphonesGiven(page)
    const letTalk = await holdBackFrames(page)
    await desk.press('Answer')
    await eventually(
      async () => microphonesGiven(page),
      (now) => now > given,
      { what: 'a microphone' },
    )
    await dock.getByText('Connecting', { exact: true }).waitFor()
    await refuseMicrophone(page, true)
    await unplugMicrophone(page)
    letTalk()
    await dock.getByText('Talking', { exact: true }).waitFor()
    await dock.getByRole('alert').getByText('The other side does not hear you.').waitFor()
    await refuseMicrophone(page, false)
    await changeDevices(page)
    await dock.getByRole('alert').waitFor({ state: 'hidden' })
    await hearing(caller, annaHz, 'the caller hears the new microphone')
    await desk.press('Hang up')
    expect(await caller.over()).to.equal('BYE')
  })
})
