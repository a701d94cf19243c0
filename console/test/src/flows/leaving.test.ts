/** Nobody loses what they have drawn by a wrong click. */
import { expect } from 'chai'
import { ConsoleBench } from '../support/console-bench.js'
import { FlowEditor } from '../support/flow-editor.js'
import { looksGood } from '../support/looks.js'

describe('leaving the flow editor', () => {
  let bench: ConsoleBench
  before(async () => {
    bench = await ConsoleBench.start()
  })
  after(async () => bench.stop())

  it('should ask before what is not saved is lost, in the console and by the browser', async () => {
    const editor = await FlowEditor.of(bench, [{ id: 'start', type: 'start' }])
    const { page } = editor
    await editor.addAfter('start', 'then', 'Hang up')
    await page.getByText('Not saved yet').waitFor()
    // Another view of the same flow is no leaving.
    await page.getByText('List', { exact: true }).click()
    await page.getByRole('list', { name: 'Steps of the flow' }).waitFor()

    const menu = page.getByRole('navigation').getByRole('link', { name: 'Calls' })
    await menu.click()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.waitFor()
    await looksGood(page, 'flows-editor-leave')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect(page.url()).to.contain(editor.id)
    await page.getByText('Not saved yet').waitFor()

    // The browser asks in words of its own.
    const asked = page.waitForEvent('dialog')
    const closing = page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).to.equal('beforeunload')
    await dialog.dismiss()
    await closing
    await menu.click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor()
    expect(await editor.saved()).to.have.length(1)
  })

  it('should not ask when all is saved', async () => {
    const editor = await FlowEditor.of(bench, [{ id: 'start', type: 'start' }])
    const { page } = editor
    await editor.addAfter('start', 'then', 'Hang up')
    await editor.save()
    await page.getByRole('navigation').getByRole('link', { name: 'Calls' }).click()
    await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor()
  })

  it('should ask before it puts steps in place of somebody else’s', async () => {
    const editor = await FlowEditor.of(bench, [{ id: 'start', type: 'start' }])
    const { page } = editor
    await editor.addAfter('start', 'then', 'Hang up')
    await bench.workspace.api.patch(`/call-flows/${editor.id}`, {
      nodes: [
        { id: 'start', type: 'start', next: { default: 'theirs' } },
        { id: 'theirs', type: 'voicemail' },
      ],
    })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    const question = page.getByRole('dialog', { name: 'Somebody has saved this flow meanwhile' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect((await editor.saved())[1]?.id).to.equal('theirs')
    await save.click()
    await question.getByRole('button', { name: 'Save all the same' }).click()
    await page.getByText('The flow is saved.').waitFor()
    expect((await editor.saved())[1]?.id).to.equal('hangup')
  })

  it('should ask so too when the flow was given another title in between', async () => {
    const editor = await FlowEditor.of(bench, [{ id: 'start', type: 'start' }])
    const { page } = editor
    await bench.workspace.api.patch(`/call-flows/${editor.id}`, {
      nodes: [
        { id: 'start', type: 'start', next: { default: 'theirs' } },
        { id: 'theirs', type: 'voicemail' },
      ],
    })
    await page.getByRole('button', { name: 'Settings of the flow' }).click()
    const form = page.getByRole('dialog', { name: 'Settings of the flow' })
    await form.getByLabel('Title').fill('Night menu')
    // Saving the steps is not for now: a dialog has the page.
    await page.keyboard.press('Control+s')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Night menu' }).waitFor()
    expect(await editor.saved(), 'what is unchanged is not saved').to.have.length(2)
    await page.keyboard.press('Control+s')
    await editor.addAfter('start', 'then', 'Hang up')
    await page.keyboard.press('Control+s')
    const question = page.getByRole('dialog', { name: 'Somebody has saved this flow meanwhile' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect((await editor.saved())[1]?.id).to.equal('theirs')
  })
})
