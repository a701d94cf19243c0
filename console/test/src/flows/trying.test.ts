/** A flow is tried with all that the API takes, and its way is seen in the drawing. */
import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import type { Locator } from 'playwright-core'
import { eventually } from '../../../../server/dist/test/support/api-client.js'
import { ConsoleBench } from '../support/console-bench.js'
import { FlowEditor, stepsOutside } from '../support/flow-editor.js'
import { looksGood } from '../support/looks.js'
import type { Schema } from '../support/schemas.js'

const nodes = [
  { id: 'start', type: 'start', next: { default: 'who' } },
  { id: 'who', type: 'contact_lookup', next: { found: 'chance', default: 'bye' } },
  {
    ...{ id: 'chance', type: 'split', next: { left: 'note', right: 'note' } },
    params: {
      branches: [
        { outcome: 'left', percent: 50 },
        { outcome: 'right', percent: 50 },
      ],
    },
  },
  {
    ...{ id: 'note', type: 'set_variable', next: { default: 'ask' } },
    params: { name: 'caller', value: '{{contact.name}}' },
  },
  {
    ...{ id: 'ask', type: 'json_call_action', params: { url: 'https://example.com/actions' } },
    next: { completed: 'open', error: 'bye' },
  },
  {
    ...{ id: 'open', type: 'condition', next: { true: 'bye', false: 'box' } },
    params: { conditions: [{ subject: 'caller_number', operator: 'equals', value: '(202) 555-0177' }] },
  },
  { id: 'box', type: 'voicemail' },
  { id: 'bye', type: 'hangup' },
]

describe('trying a call flow', () => {
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench.stop())

  it('should take all that the API takes, tell what came of it, and light up the way', async () => {
    const editor = await FlowEditor.of(bench, nodes)
    const { page } = editor
    await page.getByRole('button', { name: 'Try it' }).click()
    const panel = page.getByRole('region', { name: 'Try it' })
    const run = panel.getByRole('button', { name: 'Run' })
    const way = panel.getByRole('region', { name: 'The way of the call' })

    await panel.locator('[data-path]').first().waitFor()
    const places = await panel
      .locator('[data-path]')
      .evaluateAll((fields) => fields.map((field) => field.getAttribute('data-path')!.split('.')[0]))
    const document = JSON.parse((await bench.get('/api/v1/openapi.json')).text) as OpenApi
    const { schema } = document.paths['/call-flows/simulate']!.post.requestBody.content['application/json']
    const asked = Object.keys(schema.properties ?? {}).filter(
      (name) => !['nodes', 'trigger_type'].includes(name),
    )
    expect([...new Set(places)]).to.have.members(asked)

    // What is wrong stands at its field.
    await panel.getByLabel('Number of the caller').fill('12')
    await panel.getByLabel('Contact that a lookup finds').fill('{')
    await run.click()
    await panel.getByText('This is not JSON').waitFor()
    await panel.getByLabel('Contact that a lookup finds').fill('{"name": "Ada"}')
    await run.click()
    await panel.locator('[data-path="caller_number"][aria-invalid="true"]').waitFor()

    await panel.getByLabel('Number of the caller').fill('202 555-0177')
    await panel.getByLabel('When').fill('2026-12-24T10:00')
    await panel.getByLabel('Decide another step').click()
    await page.getByRole('option', { name: 'open' }).click()
    await panel.getByLabel('How open ends').click()
    await page.getByRole('option', { name: 'no', exact: true }).click()
    await panel.getByLabel('What your server answers at ask').fill('[]')
    await run.click()
    await way.getByRole('button', { name: 'box' }).waitFor()
    await way.getByText('caller', { exact: true }).waitFor()
    const tried = page.locator('.jf-step-tried')
    expect(await tried.count(), 'steps on the way').to.equal(7)
    expect(await page.locator('.jf-edge-tried').count(), 'edges on the way').to.equal(6)
    // The form is long, and so is the way: both are brought into view.
    await eventually(
      async () => isInView(way),
      (isThere) => isThere,
      { what: 'the way of the call in view' },
    )
    await eventually(
      async () => stepsOutside(page, '.jf-step-tried'),
      (count) => count === 0,
      { what: 'the way in the drawing in view' },
    )
    await looksGood(page, 'flows-editor-way')

    // The same seed takes the same branch, each time.
    await way.getByRole('button', { name: 'Use this seed again' }).click()
    const seed = await panel.getByLabel('Seed of chance').inputValue()
    expect(seed).to.match(/^\d+$/)
    const branch = way.getByRole('listitem').filter({ hasText: 'chance' })
    const taken = await branch.innerText()
    for (let times = 0; times < 4; times++) {
      const answered = page.waitForResponse((response) => response.url().endsWith('/call-flows/simulate'))
      await run.click()
      await answered
      await way.waitFor()
      expect(await branch.innerText()).to.equal(taken)
    }
    await way.getByRole('button', { name: 'note' }).click()
    await editor
      .step(/^Set a variable/)
      .and(page.locator('.selected'))
      .waitFor()

    // Its settings are shown over the trial call, which is one click away.
    await editor.settings.getByLabel('Name of the variable').waitFor()
    await editor.settings.getByRole('button', { name: 'Back to the trial call' }).click()
    await way.waitFor()
    // The same from the drawing, also for the step that is selected already.
    await editor.step(/^Set a variable/).click()
    await editor.settings.getByLabel('Name of the variable').waitFor()
    await page.locator('.react-flow__pane').click({ position: { x: 5, y: 5 } })
    await way.waitFor()
    await panel.press('Escape')
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.locator('section#flow-panel').waitFor({ state: 'detached' })

    const canvas = page.locator('.jf-flow')
    const before = (await canvas.boundingBox())!
    await page.keyboard.press('Alt+Shift+F')
    await page.getByRole('button', { name: 'Leave full screen' }).waitFor()
    const full = (await canvas.boundingBox())!
    expect(full.width, 'the menu gives its room').to.be.above(before.width + 150)
    await looksGood(page, 'flows-editor-full')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Full screen' }).waitFor()
  })

  it('should be called from the editor as it is published, and carried from flow to flow as a file', async () => {
    const greeting = { id: 'hello', type: 'tts', params: { text: 'Welcome to Acme.' } }
    const editor = await FlowEditor.of(bench, [
      { id: 'start', type: 'start', next: { default: 'hello' } },
      greeting,
    ])
    const { page } = editor
    await page.getByRole('button', { name: 'Try it' }).click()
    const panel = page.getByRole('region', { name: 'Try it' })
    await panel.getByRole('button', { name: 'Call the flow' }).click()
    await panel.getByText('You hear the flow').waitFor()
    await panel.getByText(/^Ended after/).waitFor()

    await page.getByRole('button', { name: 'File' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export the steps' }).click(),
    ])
    expect(download.suggestedFilename()).to.equal('main-menu.flow.json')
    const content = await readFile(await download.path())
    expect(JSON.parse(content.toString())).to.deep.include({ title: 'Main menu', trigger_type: 'inbound' })

    const other = await FlowEditor.of(bench, [{ id: 'start', type: 'start' }])
    const chosen = other.page.locator('input[aria-label="Import steps"]')
    const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/json', buffer })
    await chosen.setInputFiles(file('broken.json', Buffer.from('{')))
    await other.page.getByText('The file is not JSON.').waitFor()
    await chosen.setInputFiles(file('other.json', Buffer.from('{"nodes":[{"id":"a"}]}')))
    await other.page.getByText('The file has no steps of a flow').waitFor()
    await chosen.setInputFiles(file('main-menu.flow.json', content))
    await other.page.getByText('2 steps are imported.').waitFor()
    await other.step(/^Speak a text/).waitFor()
    await other.page.getByRole('button', { name: 'Publish' }).click()
    const stored = await eventually(
      async () => (await bench.workspace.api.get(`/call-flows/${other.id}`)).body.nodes as { id: string }[],
      (all) => all.length === 2,
      { what: 'the published flow' },
    )
    expect(stored[1]).to.deep.include(greeting)
  })
})

async function isInView(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const { top } = element.getBoundingClientRect()
    const pane = element.closest('#flow-panel')!.getBoundingClientRect()
    return top >= pane.top - 1 && top < pane.bottom - 40
  })
}

interface OpenApi {
  paths: Record<string, { post: { requestBody: { content: { 'application/json': { schema: Schema } } } } }>
}
