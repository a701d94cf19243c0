/** A flow is drawn by clicking, checked and tried as it is drawn, saved, and had again from its versions. */
import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../../../server/dist/test/support/api-client.js'
import { ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'

type Node = { id: string; type: string; params: Record<string, unknown>; next: Record<string, string> }

describe('call flows in the console', () => {
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench.stop())

  const nodesOf = async (id: string): Promise<Node[]> =>
    (await bench.workspace.api.get(`/call-flows/${id}`)).body.nodes

  /** Adds a step behind an outcome of another, by the plus beside it. */
  async function addAfter(page: Page, step: string, outcome: string, type: string): Promise<void> {
    await page
      .getByRole('button', { name: `Add a step after ${step}, on ${outcome}` })
      .first()
      .click()
    await choose(page, type)
  }

  async function choose(page: Page, type: string): Promise<void> {
    const palette = page.getByRole('dialog', { name: 'Add a step' })
    await palette.getByLabel('Find a type of step').fill(type)
    await palette
      .getByRole('button', { name: new RegExp(`^${type}`) })
      .first()
      .click()
    await palette.waitFor({ state: 'detached' })
  }

  const settingsOf = (page: Page): Locator => page.getByRole('region', { name: 'Settings of the step' })

  it('should be drawn, checked, tried, saved and restored', async () => {
    const { body: team } = await bench.workspace.api.post('/teams', { name: 'Sales' })
    const { page, problems } = await bench.admin('/flows')
    await page.getByText('No call flows yet').waitFor()
    await looksGood(page, 'flows-empty')
    await page.getByRole('button', { name: 'New flow' }).first().click()
    const form = page.getByRole('dialog', { name: 'New flow' })
    await looksGood(page, 'flows-new')
    await form.getByLabel('Title').fill('Main menu')
    await form.getByRole('button', { name: 'New flow' }).click()
    await page.getByRole('heading', { level: 1, name: 'Main menu' }).waitFor()
    const id = /cf_\w+/.exec(page.url())![0]

    await addAfter(page, 'start', 'then', 'Menu')
    const settings = settingsOf(page)
    await settings.getByLabel('Text to speak').fill('Press one for sales.')
    await addAfter(page, 'menu', 'key 1', 'Ring a team')
    // What is wrong is said at the field, and counted.
    await settings.getByText('is required').waitFor()
    await page.getByRole('button', { name: '1 problem' }).waitFor()
    await looksGood(page, 'flows-editor-problem')
    await settings.getByLabel('Team').first().click()
    await page.getByRole('option', { name: 'Sales' }).click()
    await page.getByRole('button', { name: 'Nothing is wrong with it' }).waitFor()
    await addAfter(page, 'connect_team', 'nobody there', 'Hang up')
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
    await page.getByRole('option', { name: 'nobody there' }).click()
    await trial.getByRole('button', { name: 'Run' }).click()
    await trial.getByText('The flow hangs up with NORMAL_CLEARING.').waitFor()
    await looksGood(page, 'flows-editor-tried')
    expect(await nodesOf(id), 'nothing is saved yet').to.have.length(1)

    await page.keyboard.press('Control+s')
    await page.getByText('The flow is saved.').waitFor()
    const saved = await nodesOf(id)
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
    await looksGood(page, 'flows-editor-versions')
    // Between a desk and a phone the panel has moved.
    await versions.getByRole('button', { name: 'Compare: Version 1' }).click()
    await versions.getByRole('button', { name: 'Take over' }).click()
    await page.getByRole('group', { name: /^Menu/ }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await eventually(
      async () => nodesOf(id),
      (nodes) => nodes.length === 1,
    )
    await page.goto(`${bench.url}/flows`)
    await page.getByRole('link', { name: 'Main menu' }).waitFor()
    await looksGood(page, 'flows')
    expect(problems.filter((problem) => !problem.includes('400'))).to.eql([])
  })
})
