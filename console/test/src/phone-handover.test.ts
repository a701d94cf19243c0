/** Agents with one another by the desk’s phone: calls handed over and made, and what each does in this moment. */
import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { uploadTone } from '../../../server/dist/test/recordings/recorded.js'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { findFreeswitch } from '../../../server/dist/test/support/freeswitch.js'
import { type PhoneDialog, hears } from '../../../server/dist/test/support/phone-dialog.js'
import { password } from '../../../server/dist/test/support/phone-bench.js'
import { type TeamBench, type Worker, hearing } from '../../../server/dist/test/support/team-bench.js'
import { spaced } from './support/clicks.js'
import type { ConsoleAgent, ConsoleBench } from './support/console-bench.js'
import { DeskPhone, annaHz, benHz, callerHz } from './support/desk-phone.js'
import { looksGood } from './support/looks.js'
import { holdBack } from './support/page-faults.js'
import { microphonesUsed, pageHears, singing } from './support/page-sound.js'

const flowHz = 1_700

describe('The desk’s phone among colleagues', function () {
  this.timeout(180_000)
  let desk: DeskPhone
  let page: Page
  let dock: Locator
  let team: TeamBench
  let bench: ConsoleBench
  let ben: Worker
  let anna: ConsoleAgent

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    desk = await DeskPhone.start()
    ;({ page, dock, team, bench, ben, anna } = desk)
  })
  after(async () => desk?.stop())
  afterEach(() => desk.expectNoProblems())

  const handOver = async (target: string, consult: boolean) => {
    await desk.press('Hand over')
    const form = page.getByRole('dialog', { name: 'Hand the call over' })
    await form.getByRole('combobox', { name: 'Name, number or extension' }).fill(target)
    if (consult) await form.getByLabel('Speak with them first').check()
    await form.getByRole('button', { name: 'Hand over' }).click()
    return form
  }

  it('should hand a call over to a colleague who is chosen from the list', async () => {
    const caller = await desk.talk()
    const before = ben.phone.incoming.length
    // There is room between the parts of a number, and what is copied is E.164 all the same.
    const parts = dock.getByText('+12125550123', { exact: true }).first().locator('span')
    await parts.last().waitFor()
    expect(await parts.allTextContents()).to.eql(['212', '555', '0123'])
    await desk.press('Hand over')
    const form = page.getByRole('dialog', { name: 'Hand the call over' })
    const field = form.getByRole('combobox', { name: 'Name, number or extension' })
    await field.pressSequentially('agent be')
    const option = form.getByRole('option', { name: /Agent ben.*Available/ })
    await option.and(form.locator('[data-combobox-selected]')).waitFor()
    await looksGood(page, 'phone-hand-over-search')
    await field.press('Enter')
    await option.waitFor({ state: 'detached' })
    expect(await field.inputValue()).to.equal('Agent ben')
    await form.getByLabel('Reason').fill('Wants a discount')
    await looksGood(page, 'phone-hand-over')
    await form.getByRole('button', { name: 'Hand over' }).click()
    const theirs = await ben.phone.called(before)
    await hearing(caller, benHz, 'the caller hears Ben')
    await hearing(theirs, callerHz, 'Ben hears the caller')
    await dock.getByText('Handed over').waitFor()
    await caller.hangUp()
    await team.inbound.toldOfTransfer(await desk.callId(), 'completed')
  })

  it('should say that a target refuses, speak with one first, take the caller back, and join them', async () => {
    const caller = await desk.talk()
    const form = await handOver('nobody', false)
    await form.getByText('Not found. Check the spelling').waitFor()
    await form.getByText('A call cannot be handed over to this.').first().waitFor()
    await form.getByRole('button', { name: 'Cancel' }).click()

    ben.phone.onCall = 486
    await handOver('ben', false)
    await dock.getByText('Agent ben is in a call: the caller is back with you.').waitFor()
    await pageHears(page, callerHz)
    await dock.getByRole('button', { name: 'Close this message' }).click()
    ben.phone.onCall = 'answer'

    let before = ben.phone.incoming.length
    await handOver('ben', true)
    await ben.phone.called(before)
    await pageHears(page, benHz)
    await pageHears(page, callerHz, false)
    await dock.getByText('You speak with Agent ben; the caller waits.').waitFor()
    await desk.reload()
    await pageHears(page, benHz)
    await desk.press('Take the caller back')
    await dock.getByText('The caller is back with you.').waitFor()
    await pageHears(page, callerHz)
    await dock.getByRole('button', { name: 'Close this message' }).click()
    await team.inState(ben, 'available')

    before = ben.phone.incoming.length
    await handOver('ben', true)
    const theirs = await ben.phone.called(before)
    await pageHears(page, benHz)
    await desk.press('Join them')
    await hearing(theirs, callerHz, 'Ben hears the caller')
    await dock.getByText('Handed over').waitFor()
    await caller.hangUp()
  })

  const hearsBoth = async (dialog: PhoneDialog, [one, other]: [number, number], who: string) =>
    eventually(
      async () => Math.min(hears(dialog, one), hears(dialog, other)),
      // Each has half of the sound.
      (level) => level > 0.3,
      { what: `${who} hears both` },
    )

  it('should make a three-way call, drop the colleague, and leave caller and colleague to talk', async () => {
    await team.inState(ben, 'available')
    const caller = await desk.talk()
    const begin = async () => {
      const before = ben.phone.incoming.length
      await handOver('ben', true)
      const theirs = await ben.phone.called(before)
      await dock.getByText('You speak with Agent ben; the caller waits.').waitFor()
      await desk.press('Three-way call')
      await dock.getByText('You talk with Agent ben and the caller.').waitFor()
      await hearsBoth(theirs, [callerHz, annaHz], 'Ben')
      await hearsBoth(caller, [benHz, annaHz], 'the caller')
      await pageHears(page, benHz)
      await pageHears(page, callerHz)
      return theirs
    }
    const first = await begin()
    await looksGood(page, 'phone-three-way')
    await desk.reload()
    await dock.getByText('You talk with Agent ben and the caller.').waitFor()
    await desk.press('Drop Agent ben')
    await first.over()
    await dock.getByText('The caller is back with you.').waitFor()
    await dock.getByRole('button', { name: 'Close this message' }).click()
    await team.inState(ben, 'available')

    const second = await begin()
    await desk.press('Leave the call')
    await dock.getByText('Handed over').waitFor()
    await hearing(second, callerHz, 'Ben hears the caller')
    await caller.hangUp()
  })

  it('should say that the server refuses to bring a caller back who is back already', async () => {
    const caller = await desk.talk()
    await handOver('ben', true)
    await dock.getByText('You speak with Agent ben; the caller waits.').waitFor()
    // What has come of it the page is told later.
    const tell = await holdBack(page, '**/api/v1/call-center/calls/*')
    const api = await desk.apiOf(anna)
    const canceled = await api.delete(`/call-center/calls/${await desk.callId()}/transfer`)
    expect(canceled.status, JSON.stringify(canceled.body)).to.equal(200)
    await pageHears(page, callerHz)
    await desk.press('Take the caller back')
    await dock.getByRole('alert').getByText('The call is not being handed over').waitFor()
    await tell()
    await dock.getByText('The caller is back with you.').waitFor()
    await caller.hangUp()
  })

  it('should call a colleague from the list, and numbers with the number that is chosen', async () => {
    await desk.isFree()
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
    await desk.press('Hang up')
    await theirs.over()

    await desk.isFree()
    ben.phone.onCall = 486
    await colleagues.getByRole('button', { name: 'Call Agent ben' }).click()
    await dock.getByText('They are busy').waitFor()

    await desk.isFree()
    const dial = page.getByRole('region', { name: 'Call', exact: true })
    await dial.getByRole('combobox', { name: 'Name, number or extension' }).fill('not somebody')
    await dial.getByRole('button', { name: 'Call', exact: true }).click()
    await dial
      .getByRole('combobox', { name: 'Name, number or extension' })
      .and(page.locator('[aria-invalid="true"]'))
      .waitFor()
    expect(await microphonesUsed(page)).to.equal(0)
    await dial.getByRole('combobox', { name: 'Name, number or extension' }).fill('+1 (202) 555-0100')
    await dial.getByRole('combobox', { name: 'Number that is shown' }).click()
    await page.getByRole('option', { name: spaced(team.inbound.number) }).click()
    await dial.getByRole('button', { name: 'Call', exact: true }).click()
    await dock.getByText('Talking', { exact: true }).waitFor()
    await desk.press('Hang up')
    const record = await team.inbound.bench.ended(await desk.callId())
    expect(record).to.include({ to: '+12025550100', from: team.inbound.number, agent_id: anna.id })
  })

  it('should let an administrator hear a flow from its editor', async () => {
    const audio_id = await uploadTone(team.inbound.api, flowHz, 6)
    const id = await team.inbound.flow([{ id: 'tune', type: 'play', params: { audio_id } }])
    const context = await bench.context()
    await singing(context, annaHz)
    const opened = await bench.admin(`/flows/${id}`, context)
    await opened.page.getByRole('button', { name: 'Try it' }).click()
    const panel = opened.page.getByRole('region', { name: 'Try it' })
    await panel.getByRole('button', { name: 'Call the flow' }).click()
    await panel.getByText('You hear the flow').waitFor()
    await pageHears(opened.page, flowHz)
    await panel.getByText(/^Ended after/).waitFor()
    expect(opened.problems).to.deep.equal([])
    await context.close()
  })

  it('should begin with the number of a link, and call nobody before a click', async () => {
    await desk.isFree()
    const calls = async () => (await team.phones.api.get('/calls?limit=1')).body.meta.total as number
    const before = await calls()
    const to = page.getByRole('combobox', { name: 'Name, number or extension' })
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
    await desk.isFree()
  })

  it('should tell others what one chooses, and show what others choose for one', async () => {
    await desk.isFree()
    await page.getByRole('button', { name: 'Your state: Available' }).click()
    await page.getByRole('menuitemradio', { name: 'Busy' }).click()
    await desk.inState('Busy')
    await eventually(
      async () => (await team.phones.api.get(`/agents/${anna.id}`)).body.state as string,
      (state) => state === 'busy',
      { what: 'Anna busy' },
    )
    await page.getByRole('button', { name: 'Your state: Busy' }).click()
    await looksGood(page, 'presence')
    await page.getByRole('menuitemradio', { name: 'Available' }).click()
    await desk.inState('Available')

    await team.phones.api.patch(`/agents/${ben.agent.id}`, { role: 'leader' })
    const leader = await desk.apiOf({ username: 'ben', password })
    const forced = await leader.put(`/call-center/teams/${desk.salesId}/agents/anna/state`, {
      state: 'offline',
    })
    expect(forced.status, JSON.stringify(forced.body)).to.equal(200)
    await desk.inState('Offline')
    await page.getByRole('button', { name: 'Your state: Offline' }).click()
    await page.getByText('Someone else has set this for you.').waitFor()
    await page.getByRole('menuitemradio', { name: 'Available' }).click()
    await desk.inState('Available')
  })
})
