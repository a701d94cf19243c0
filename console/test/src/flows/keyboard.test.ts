/** All that the mouse does in the editor, the keyboard does. */
import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../../../../server/dist/test/support/api-client.js'
import { ConsoleBench } from '../support/console-bench.js'
import { FlowEditor } from '../support/flow-editor.js'
import { looksGood } from '../support/looks.js'

/** Presses Tab until something has the focus, as people do. */
async function tabTo(page: Page, target: Locator, most = 60): Promise<void> {
  for (let presses = 0; presses < most; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`not reached by Tab: ${String(target)}`)
}

describe('the flow editor by keyboard', () => {
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench.stop())

  it('should add, choose, set, connect, move, delete, undo and redo', async () => {
    const editor = await FlowEditor.of(bench, [{ id: 'start', type: 'start' }])
    const { page, settings } = editor
    const { keyboard } = page

    // Add: a step behind the start.
    await tabTo(page, page.getByRole('button', { name: 'Add a step after start, on then' }))
    await keyboard.press('Enter')
    await editor.palette.waitFor()
    await keyboard.type('Speak')
    await keyboard.press('Enter')
    const spoken = editor.step(/^Speak a text, tts(,|$)/)
    await spoken.waitFor()
    await editor.palette.waitFor({ state: 'detached' })

    // It has the focus, and is chosen: go to its settings, and back.
    await hasFocus(spoken, 'the step that was added')
    await settings.getByText('Speak a text').waitFor()
    await keyboard.press('Enter')
    await tabTo(page, settings.getByLabel('Text to speak'), 6)
    await keyboard.type('Good day.')
    await keyboard.press('Escape')
    expect(await spoken.evaluate((element) => element === document.activeElement)).to.equal(true)

    // Move.
    const before = await spoken.boundingBox()
    for (let times = 0; times < 5; times++) await keyboard.press('ArrowDown')
    await expectMoved(spoken, before!.y)
    await keyboard.press('Control+z')
    await eventually(
      async () => (await spoken.boundingBox())?.y,
      (y) => y === before!.y,
      { what: 'step that is back where it was' },
    )
    await keyboard.press('Control+Shift+z')

    // Duplicate, and take it back.
    await keyboard.press('Control+d')
    await editor.step(/tts_2/).waitFor()
    await keyboard.press('Control+z')
    await editor.step(/tts_2/).waitFor({ state: 'detached' })
    await keyboard.press('Control+Shift+z')
    await editor.step(/tts_2/).waitFor()

    // Connect: the one with the other, by what follows it.
    await spoken.focus()
    await keyboard.press('Enter')
    await keyboard.press('Enter')
    const follows = settings.getByRole('combobox', { name: 'then' })
    await tabTo(page, follows)
    await keyboard.type('tts_2')
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await page.locator('[aria-label="tts: then leads to tts_2"]').waitFor({ state: 'attached' })

    // A name that is being typed is saved too.
    await tabTo(page, page.getByRole('button', { name: 'Duplicate' }))
    await settings.getByLabel('Name of the step').focus()
    await keyboard.press('Control+a')
    await keyboard.type('hello')
    await editor.save()
    expect((await editor.saved()).map(({ id, next }) => [id, next])).to.deep.equal([
      ['start', { default: 'hello' }],
      ['hello', { default: 'tts_2' }],
      ['tts_2', {}],
    ])

    // Delete, but not from the settings; and undo where the focus is on a switch.
    await settings.getByRole('button', { name: 'Remove' }).focus()
    await keyboard.press('Delete')
    expect(await editor.step(/hello/).count()).to.equal(1)
    await editor.step(/hello/).focus()
    await keyboard.press('Delete')
    await editor.step(/hello/).waitFor({ state: 'detached' })
    await hasFocus(editor.step(/^Start/), 'the step before the one that was removed')
    await page.getByRole('radio', { name: 'Drawing' }).focus()
    await keyboard.press('Control+z')
    await editor.step(/hello/).waitFor()
    await page.getByRole('button', { name: 'Keys' }).click()
    await page.getByText('Ctrl C, Ctrl V').waitFor()
    await looksGood(page, 'flows-editor-keys')
  })

  it('should copy a step into another flow', async () => {
    const context = await bench.context()
    const one = await FlowEditor.of(bench, [
      { id: 'start', type: 'start', next: { default: 'hello' } },
      { id: 'hello', type: 'tts', params: { text: 'Good day.', speed: 0.8 } },
    ])
    await one.step(/hello/).focus()
    await one.page.keyboard.press('Enter')
    const copied = await one.page.evaluate(() => {
      const clipboardData = new DataTransfer()
      document.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }))
      return clipboardData.getData('text/plain')
    })
    expect(JSON.parse(copied)).to.deep.include({ type: 'tts', params: { text: 'Good day.', speed: 0.8 } })
    const other = await FlowEditor.of(bench, [{ id: 'start', type: 'start' }], { context })
    await other.paste(copied)
    await other.step(/^Speak a text, tts/).waitFor()
    expect(await other.settings.getByLabel('Text to speak').inputValue()).to.equal('Good day.')
    await other.paste('Some text, which is no step')
    await other.paste('{"type":"start","params":{}}')
    expect(await other.page.locator('.react-flow__node').count()).to.equal(2)
  })
})

async function hasFocus(target: Locator, what: string): Promise<void> {
  await eventually(
    async () => target.evaluate((element) => element === document.activeElement),
    (isFocused) => isFocused,
    { what: `focus on ${what}` },
  )
}

async function expectMoved(step: Locator, fromY: number): Promise<void> {
  await eventually(
    async () => (await step.boundingBox())?.y ?? 0,
    (y) => y > fromY,
    { what: 'step that has moved' },
  )
}
