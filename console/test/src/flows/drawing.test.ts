/** A flow is drawn by clicking and dragging, checked as it is drawn, saved, and had again from its versions. */
import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../../../../server/dist/test/support/api-client.js'
import { ConsoleBench } from '../support/console-bench.js'
import { FlowEditor, stepsOutside } from '../support/flow-editor.js'
import { looksGood } from '../support/looks.js'
import { modelOf } from '../support/models.js'

interface Templates {
  flowTemplates: Record<string, { stepsOf: (answers: object) => object[] }>
}

describe('drawing call flows', () => {
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench.stop())

  it('should check, try, save and restore what is drawn', async () => {
    const { body: team } = await bench.workspace.api.post('/teams', { name: 'Sales' })
    const opened = await bench.admin('/flows')
    const { page, problems } = opened
    await page.getByText('No call flows yet').waitFor()
    await looksGood(page, 'flows-empty')
    await page.getByRole('link', { name: 'New flow' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'New flow' }).waitFor()
    await looksGood(page, 'flows-new')
    await page.getByRole('link', { name: 'Blank flow' }).click()
    const form = page.getByRole('region', { name: 'Blank flow' })
    await form.getByLabel('Title').fill('Main menu')
    await form.getByRole('button', { name: 'New flow' }).click()
    await page.getByRole('heading', { level: 1, name: 'Main menu' }).waitFor()
    const editor = await FlowEditor.on(bench, opened)
    const { settings } = editor

    await editor.addAfter('start', 'then', 'Menu')
    await settings.getByLabel('Text to speak').fill('Press one for sales.')
    await editor.addAfter('menu', 'key 1', 'Ring a team')
    // What is missing is work to do, until it is to be published.
    await settings.getByText('Still to do: Team').waitFor()
    await page.getByRole('button', { name: '1 to do' }).waitFor()
    expect(await settings.locator('[aria-invalid="true"]').count()).to.equal(0)
    await looksGood(page, 'flows-editor-to-do')
    await page.getByText(/· Draft saved$/).waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('The flow is not published').waitFor()
    await page.getByRole('button', { name: '1 problem' }).waitFor()
    // The draft is there for another browser, too.
    await page.reload()
    await page.getByText(/· Draft saved$/).waitFor()
    await editor.step(/^Ring a team/).click()
    await settings.getByText('Still to do: Team').waitFor()
    await settings.getByLabel('Team').first().click()
    await page.getByRole('option', { name: 'Sales' }).click()
    await page.getByRole('button', { name: 'No problems' }).waitFor()
    await editor.addAfter('connect_team', 'offline', 'Hang up')
    await settings.getByLabel('Name of the step').fill('bye')
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: /^Hang up, bye/ }).waitFor()

    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('group', { name: /^Hang up, hangup/ }).waitFor()
    await page.getByRole('button', { name: 'Redo' }).click()
    await page.getByRole('group', { name: /^Hang up, bye/ }).waitFor()

    await page.getByRole('button', { name: 'Try it' }).click()
    const trial = page.getByRole('region', { name: 'Try it' })
    await trial.getByLabel('Keys that the caller presses').fill('9,1')
    await trial.getByLabel('How connect_team ends').click()
    await page.getByRole('option', { name: 'offline' }).click()
    await trial.getByRole('button', { name: 'Run' }).click()
    await trial.getByText('The flow ends the call: Hung up.').waitFor()
    await looksGood(page, 'flows-editor-tried')
    expect(await editor.saved(), 'nothing is published yet').to.have.length(1)

    await editor.save()
    const saved = await editor.saved()
    expect(saved.map((node) => [node.id, node.type, node.next])).to.deep.equal([
      ['start', 'start', { default: 'menu' }],
      ['menu', 'menu', { 1: 'connect_team' }],
      ['connect_team', 'connect_team', { offline: 'bye' }],
      ['bye', 'hangup', {}],
    ])
    expect(saved[1]!.params).to.deep.equal({ text: 'Press one for sales.' })
    expect(saved[2]!.params).to.deep.equal({ team_id: team.id })

    await page.getByRole('button', { name: 'Versions' }).click()
    const versions = page.getByRole('region', { name: 'Versions' })
    await versions.getByRole('button', { name: 'Compare: Version 1' }).click()
    await versions.getByText('Added since: menu, connect_team, bye').waitFor()
    await versions.getByText('start: after “then”').waitFor()
    const [{ title: key }] = (await bench.workspace.api.get('/api-keys')).body.data as [{ title: string }]
    await versions.getByText(`API key ${key}`).first().waitFor()
    await looksGood(page, 'flows-editor-versions')
    // Between a desk and a phone the panel has moved.
    await versions.getByRole('button', { name: 'Compare: Version 1' }).click()
    await versions.getByRole('button', { name: 'Take over' }).click()
    await page.getByRole('group', { name: /^Menu/ }).waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Draft' }).getByText('Calls do not run it').waitFor()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await eventually(
      async () => editor.saved(),
      (nodes) => nodes.length === 1,
    )
    await page.goto(`${bench.url}/flows`)
    await page.getByRole('link', { name: 'Main menu' }).waitFor()
    await looksGood(page, 'flows')
    expect(problems.filter((problem) => !problem.includes('400'))).to.eql([])
  })

  it('should make a flow of a template, which is sound and tells what it is for', async () => {
    const { api } = bench.workspace
    const [sales, support] = await Promise.all(
      ['Sales', 'Support'].map(
        async (name) => (await api.post('/teams', { name: `${name} desk` })).body.id as string,
      ),
    )
    const agent = await bench.makeAgent('ada')
    const answers = {
      ...{ team: sales, second_team: support, team_name: 'Sales', second_team_name: 'Support' },
      ...{ agent: agent.id, voice_agent: 'ag_unknown', phone_number: '+12025550143' },
      hours: {
        time_zone: 'Europe/Berlin',
        hours: [{ days: ['mon'], from: '09:00', to: '17:00' }],
      },
    }
    const { flowTemplates } = await modelOf<Templates>('templates')
    for (const [name, { stepsOf }] of Object.entries(flowTemplates)) {
      for (const language of ['en', 'de']) {
        const nodes = stepsOf({ ...answers, language })
        const { body } = await api.post('/call-flows/check', { nodes })
        const problems = (body.problems as { field: string }[]).map(({ field }) => field)
        // There is no voice agent here.
        expect(problems, `${name} in ${language}`).to.deep.equal(
          name === 'night' ? ['nodes.3.params.voice_agent_id'] : [],
        )
      }
    }

    const opened = await bench.admin('/flows/new?template=menu')
    const { page } = opened
    const form = page.getByRole('region', { name: 'Menu to two teams' })
    await form.getByRole('button', { name: 'Make the flow' }).click()
    await form.getByText('Choose or fill in this field').first().waitFor()
    await form.getByRole('combobox', { name: 'Team', exact: true }).click()
    await page.getByRole('option', { name: 'Sales desk' }).click()
    await form.getByRole('combobox', { name: 'Second team' }).click()
    await page.getByRole('option', { name: 'Support desk' }).click()
    await looksGood(page, 'flows-template')
    await form.getByRole('button', { name: 'Make the flow' }).click()
    const editor = await FlowEditor.on(bench, opened)
    const menu = (await editor.saved()).find(({ type }) => type === 'menu')
    expect(menu?.params['text']).to.contain('For Sales desk, press one. For Support desk, press two.')
    await page.getByRole('button', { name: 'No problems' }).waitFor()
  })

  it('should connect steps by dragging from handle to handle, and cut what is chosen', async () => {
    const editor = await FlowEditor.of(bench, [
      { id: 'start', type: 'start', next: { default: 'ask' }, position: { x: 0, y: 0 } },
      {
        ...{ id: 'ask', type: 'menu', params: { text: 'Press one.' }, next: { 1: 'bye' } },
        position: { x: 300, y: 0 },
      },
      { id: 'bye', type: 'hangup', position: { x: 300, y: 330 } },
    ])
    const { page } = editor
    // From “no key” of the menu to the end.
    const outlet = editor.step(/^Menu/).locator('[data-handleid="timeout"]')
    await drag(page, outlet, editor.step(/^Hang up/).locator('.react-flow__handle.target'))
    const edge = page.locator('[aria-label="ask: no key leads to bye"]')
    await edge.waitFor({ state: 'attached' })
    await editor.save()
    expect((await editor.saved())[1]?.next).to.deep.equal({ 1: 'bye', timeout: 'bye' })

    await edge.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Delete')
    await edge.waitFor({ state: 'detached' })
    expect(await page.locator('[aria-label="ask: key 1 leads to bye"]').count(), 'the others stay').to.equal(
      1,
    )

    // Of a step that was chosen before, only the edge that is chosen now is removed.
    await editor.step(/^Hang up/).click()
    const first = page.locator('[aria-label="ask: key 1 leads to bye"]')
    await first.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Delete')
    await first.waitFor({ state: 'detached' })
    expect(await editor.step(/^Hang up/).count(), 'the step stays').to.equal(1)
    await page.keyboard.press('Control+z')
    await first.waitFor({ state: 'attached' })

    // Dropped where nothing is, it asks which step is to be there.
    await drag(page, outlet, page.locator('.react-flow__pane'), { x: 40, y: 400 })
    await editor.choose('Voicemail')
    await editor.step(/^Voicemail/).waitFor()
    await editor.save()
    const [, ask] = await editor.saved()
    expect(ask?.next).to.deep.equal({ 1: 'bye', timeout: 'voicemail' })

    // What cannot be checked is not said to be checked for ever.
    await page.route('**/api/v1/call-flows/check', async (route) => route.abort())
    await editor.settings.getByRole('button', { name: 'Duplicate' }).click()
    const unchecked = page.getByRole('button', { name: 'Could not be checked' })
    await unchecked.click()
    await page.unroute('**/api/v1/call-flows/check')
    // The console may have tried again by itself.
    const again = page.getByRole('alert').getByRole('button', { name: 'Try again' })
    await again.click({ timeout: 3_000 }).catch(() => undefined)
    await unchecked.waitFor({ state: 'detached' })
  })

  it('should keep the edge of a branch that is renamed, and the click that ends the typing of a name', async () => {
    const branches = ['left', 'right'].map((outcome) => ({ outcome, percent: 50 }))
    const editor = await FlowEditor.of(bench, [
      { id: 'start', type: 'start', next: { default: 'chance' } },
      { id: 'chance', type: 'split', params: { branches }, next: { left: 'bye', right: 'box' } },
      { id: 'box', type: 'voicemail' },
      { id: 'bye', type: 'hangup' },
    ])
    const { page, settings } = editor
    await editor.step(/^Split/).click()
    const name = settings.getByRole('group', { name: 'left' }).getByLabel('Branch')
    await name.fill('right')
    await settings.getByText('Another branch has this name.').waitFor()
    await name.fill('first')
    await page.keyboard.press('Enter')
    await page.locator('[aria-label="chance: first leads to bye"]').waitFor({ state: 'attached' })
    await settings.getByRole('button', { name: 'Remove right' }).click()
    await settings.getByRole('button', { name: 'Add a branch' }).click()
    await settings.getByLabel('Branch').last().fill('last')
    await settings.getByLabel('Name of the step').fill('dice')
    // It moves nothing from below the pointer that the step has another name now.
    await settings.getByRole('button', { name: 'Add a step after chance, on last' }).click()
    await editor.choose('Hang up')
    await settings.getByText('Hang up').first().waitFor()
    await eventually(
      async () => (await editor.draft()).find(({ id }) => id === 'dice')?.next,
      (next) => JSON.stringify(next) === '{"first":"bye","last":"hangup"}',
    )
  })

  it('should show sixty steps as a whole, with a map of them', async () => {
    const editor = await FlowEditor.of(bench, menusInARow(12))
    const { page } = editor
    await page.locator('.react-flow__minimap').waitFor()
    await page.getByRole('button', { name: 'Fit View' }).click()
    await eventually(
      async () => stepsOutside(page),
      (count) => count === 0,
      { what: 'all steps to be seen' },
    )
    const card = await editor.step(/^Start/).boundingBox()
    expect(card!.width, 'a card among sixty').to.be.above(40)
    await looksGood(page, 'flows-editor-sixty')

    // What would fit the window, and not its pane, opens at its start, where it can be read.
    const tall = await FlowEditor.of(bench, [
      { id: 'start', type: 'start', next: { default: 'bye' }, position: { x: 0, y: 0 } },
      { id: 'bye', type: 'hangup', position: { x: 0, y: 2_200 } },
    ])
    const start = await tall.step(/^Start/).boundingBox()
    expect(start!.width, 'a card of a tall flow').to.be.above(0.35 * 260)
  })
})

/** Drags the mouse from the middle of one thing to another. */
async function drag(
  page: Page,
  from: Locator,
  to: Locator,
  position?: { x: number; y: number },
): Promise<void> {
  await from.hover()
  await page.mouse.down()
  await to.hover({ force: true, ...(position && { position }) })
  await page.mouse.up()
}

/** Menus, each of which leads to the next, and their steps: five each. */
function menusInARow(count: number) {
  const menus = Array.from({ length: count }, (_, index) => {
    const last = index === count - 1 ? 'bye' : `menu_${index + 1}`
    return [
      {
        ...{ id: `menu_${index}`, type: 'menu', params: { text: `Menu ${index}: press one, two or three.` } },
        next: { 1: `say_${index}`, 2: `ring_${index}`, 3: last, timeout: `note_${index}` },
      },
      { id: `say_${index}`, type: 'tts', params: { text: 'You have pressed one.' }, next: { default: last } },
      {
        ...{ id: `ring_${index}`, type: 'to_operator', params: { phone_number: '+12025550123' } },
        next: { busy: `box_${index}` },
      },
      { id: `box_${index}`, type: 'voicemail' },
      {
        ...{ id: `note_${index}`, type: 'set_variable', params: { name: 'late', value: 'yes' } },
        next: { default: 'bye' },
      },
    ]
  })
  return [
    { id: 'start', type: 'start', next: { default: 'menu_0' } },
    ...menus.flat(),
    { id: 'bye', type: 'hangup' },
  ]
}
