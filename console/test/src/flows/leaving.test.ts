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
    // Drafts save themselves, unless the server cannot be reached.
    await page.route('**/draft', async (route) => route.abort())
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

  it('should keep what is drawn, and how it came about, while the server is not reached', async () => {
    const editor = await FlowEditor.of(bench, [{ id: 'start', type: 'start' }])
    const { page } = editor
    await editor.addAfter('start', 'then', 'Speak a text')
    await page.getByText(/· Draft saved$/).waitFor()
    const read: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() === 'GET' && pathname.includes(`/call-flows/${editor.id}`)) read.push(pathname)
    })
    await page.context().setOffline(true)
    await page.getByText('No connection to the server').first().waitFor()
    await page.context().setOffline(false)
    await page.getByText('No connection to the server').first().waitFor({ state: 'detached' })
    await editor.addAfter('tts', 'then', 'Hang up')
    await page.getByText(/· Draft saved$/).waitFor()
    for (const _ of [1, 2]) await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('group', { name: /^Speak/ }).waitFor({ state: 'detached' })
    expect(read).to.deep.equal([])
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
    const publish = page.getByRole('button', { name: 'Publish', exact: true })
    await publish.click()
    const question = page.getByRole('dialog', { name: 'Somebody has published this flow meanwhile' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect((await editor.saved())[1]?.id).to.equal('theirs')
    await publish.click()
    await question.getByRole('button', { name: 'Publish all the same' }).click()
    await page.getByText(/· Published$/).waitFor()
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
    await page.getByText(/· Draft saved$/).waitFor()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Somebody has published this flow meanwhile' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect((await editor.saved())[1]?.id).to.equal('theirs')

    // Two who edit the same draft do not overwrite each other unseen.
    const nodes = [
      { id: 'start', type: 'start' },
      { id: 'other', type: 'voicemail' },
    ]
    await bench.workspace.api.put(`/call-flows/${editor.id}/draft`, { nodes })
    await page.getByRole('button', { name: 'Add a step that nothing leads to yet' }).click()
    // The API has two names for hanging up; the palette has one, which both find.
    const palette = page.getByRole('dialog', { name: 'Add a step' })
    await palette.getByLabel('Find a type of step').fill('disconnect')
    await palette.getByRole('button', { name: 'Hang up' }).waitFor()
    expect(await palette.getByRole('button', { name: 'Disconnect' }).count()).to.equal(0)
    await editor.choose('Voicemail')
    const taken = page.getByRole('dialog', { name: 'Somebody has changed this draft meanwhile' })
    await taken.getByRole('button', { name: 'Save all the same' }).click()
    await page.getByText(/· Draft saved$/).waitFor()
    const { body } = await bench.workspace.api.get(`/call-flows/${editor.id}/draft`)
    expect((body.nodes as { id: string }[]).map(({ id }) => id)).to.include('voicemail')
  })

  it('should say which numbers a flow takes the calls of, and give it one more', async () => {
    const { api } = bench.workspace
    const { body: other } = await api.post('/call-flows', {
      ...{ title: 'Night', trigger_type: 'inbound', nodes: [{ id: 'start', type: 'start' }] },
    })
    const { body: acl } = await api.post('/sip-trunks/acls', {
      title: 'Carrier',
      mode: 'ip',
      allowed_ips: ['192.0.2.7'],
    })
    const numbers = []
    for (const number of ['2025550131', '2025550132']) {
      const connected = await api.post('/phone-numbers/connect', {
        ...{ title: `Line ${number.slice(-1)}`, number, country_code: 'US' },
        ...{ inbound_acl_id: acl.id, enable_outbound: false },
      })
      expect(connected.status, JSON.stringify(connected.body)).to.equal(201)
      numbers.push(connected.body.id as string)
    }
    await api.patch(`/phone-numbers/${numbers[1]}`, { call_flow_id: other.id })

    const editor = await FlowEditor.of(bench, [{ id: 'start', type: 'start' }])
    const { page } = editor
    await page.getByRole('button', { name: 'No number uses it' }).click()
    const use = page.getByRole('dialog').filter({ hasText: 'Use for a number' })
    await use.getByRole('button', { name: /Line 1/ }).click()
    await use.getByRole('link', { name: '+12025550131' }).waitFor()
    await use.getByRole('button', { name: /Line 2 \(Night\)/ }).click()
    await page.getByText('They go to the flow “Night” now.').waitFor()
    await page.getByRole('button', { name: 'Take over' }).click()
    await page.getByRole('button', { name: '2 numbers' }).waitFor()
    await editor.addAfter('start', 'then', 'Hang up')
    await editor.save()
    await page.getByText('Published. 2 numbers run it.').waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Call flows' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Main menu' }).filter({ hasText: '0132' })
    await row.getByRole('link', { name: '+12025550131' }).click()
    await page.getByRole('heading', { level: 1, name: '+12025550131' }).waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Numbers' }).click()
    await page.getByRole('link', { name: 'Main menu' }).first().waitFor()
    await looksGood(page, 'numbers-with-flows')
    // What is in use is not removed.
    expect((await api.delete(`/call-flows/${editor.id}`)).status).to.equal(409)
  })
})
