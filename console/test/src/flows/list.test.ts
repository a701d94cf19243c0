/** The list of steps is all that a phone, or a screen reader, needs. */
import { expect } from 'chai'
import { ConsoleBench } from '../support/console-bench.js'
import { FlowEditor } from '../support/flow-editor.js'
import { looksGood } from '../support/looks.js'

describe('a call flow as a list', () => {
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench.stop())

  it('should be made and mended on a phone', async () => {
    const context = await bench.context({ viewport: { width: 320, height: 640 } })
    const { id } = (await bench.workspace.api.post('/teams', { name: 'Sales' })).body as { id: string }
    const editor = await FlowEditor.of(bench, [{ id: 'start', type: 'start' }], { view: 'list', context })
    const { page } = editor
    const list = page.getByRole('list', { name: 'Steps of the flow' })
    const item = (name: RegExp) => list.getByRole('button', { name, expanded: true })
    await editor.addAfter('start', 'then', 'Ring a team')
    // Its settings unfold where it stands, with what is wrong at its field.
    await item(/2\. Ring a team/).waitFor()
    await list.getByText('Still to do: Team').waitFor()
    await list.getByText('1 to do').waitFor()
    await looksGood(page, 'flows-list-problem')
    await list.getByRole('combobox', { name: 'Team' }).click()
    await page.getByRole('option', { name: 'Sales' }).click()
    await list.getByText('Still to do: Team').waitFor({ state: 'detached' })
    await list.getByRole('combobox', { name: 'busy', exact: true }).waitFor({ state: 'detached' })
    await list.getByRole('combobox', { name: 'no answer' }).click()
    await page.getByRole('option', { name: 'A new step…' }).click()
    await editor.choose('Voicemail')
    await item(/3\. Voicemail/).waitFor()
    await page.getByRole('button', { name: 'Try it' }).click()
    const panel = page.getByRole('dialog', { name: 'Try it' })
    await panel.getByLabel('How connect_team ends').click()
    await page.getByRole('option', { name: 'no answer' }).click()
    await panel.getByRole('button', { name: 'Run' }).click()
    await panel.getByRole('button', { name: 'voicemail' }).waitFor()
    await panel.getByRole('button', { name: 'Close the panel' }).click()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('No number uses it yet').waitFor()
    expect((await editor.saved()).map(({ type, params, next }) => [type, params, next])).to.deep.equal([
      ['start', {}, { default: 'connect_team' }],
      ['connect_team', { team_id: id }, { no_answer: 'voicemail' }],
      ['voicemail', {}, {}],
    ])
  })

  it('should say that an outcome without a step of its own goes as otherwise', async () => {
    const editor = await FlowEditor.of(
      bench,
      [
        { id: 'start', type: 'start', next: { default: 'who' } },
        {
          id: 'who',
          type: 'contact_lookup',
          params: { url: 'https://crm.example/' },
          next: { default: 'bye' },
        },
        { id: 'bye', type: 'tts', params: { text: 'Goodbye.' } },
      ],
      { view: 'list' },
    )
    const { page } = editor
    const list = page.getByRole('list', { name: 'Steps of the flow' })
    const who = list.getByRole('listitem').filter({ hasText: 'not found' }).first()
    await who.getByText('not found → as otherwise: bye').first().waitFor()
    expect(await who.getByText('the call ends').count()).to.equal(0)

    // So do its card in the drawing, and its settings.
    await page.goto(page.url().replace('view=list', 'view=drawing'))
    const card = editor.step(/^Look up/)
    await card.getByText('not found → as otherwise').waitFor()
    await card.click()
    const outcome = editor.settings.locator('[data-path="next.not_found"]')
    await outcome.waitFor()
    expect(await outcome.inputValue()).to.equal('as otherwise: bye')
    expect(await editor.settings.getByText('the call ends').count()).to.equal(0)
  })
})
