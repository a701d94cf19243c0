/** Calls of a team, one by one, with recordings and transcripts. */
import { writeFile } from 'node:fs/promises'
import { expect } from 'chai'
import { newId } from '../../../server/dist/src/infrastructure/database/ids.js'
import { insertCall, insertInternalCall } from '../../../server/dist/test/api/call-center-fixtures.js'
import { query } from '../../../server/dist/test/api/database.js'
import { insertRecording, keptFile } from '../../../server/dist/test/api/recording-fixtures.js'
import { wavFile } from '../../../server/dist/test/support/audio-files.js'
import { type ConsoleAgent, ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'

const seconds = 8
const sound = wavFile(440, seconds, { rate: 8_000 })

describe('The history in the console', () => {
  let bench: ConsoleBench
  let sue: ConsoleAgent
  let anna: ConsoleAgent
  let callId: string

  before(async () => {
    bench = await ConsoleBench.start()
    sue = await bench.makeAgent('sue', { role: 'supervisor', display_name: 'Sue Supervisor' })
    anna = await bench.makeAgent('anna', { display_name: 'Anna Agent' })
    const { api } = bench.workspace
    const team = (await api.post('/teams', { name: 'Sales' })).body.id as string
    for (const { id } of [sue, anna]) await api.put(`/teams/${team}/agents/${id}`)
    const { appliance, workspace } = bench
    callId = await insertCall(appliance, workspace, [
      { agent_id: null, role: 'caller' },
      { agent_id: anna.id },
    ])
    await insertCall(appliance, workspace, [{ agent_id: anna.id, answered: false }])
    const began = new Date(Date.now() - 60_000)
    const recording = await insertRecording(appliance, workspace, {
      ...{ call_id: callId, duration_ms: seconds * 1_000, size_bytes: sound.length, created_at: began },
    })
    await writeFile(keptFile(appliance, recording), sound)
    const session = newId('vse')
    for (const [index, [speaker, text]] of [
      ['voice_agent', 'Hello, what can I do for you?'],
      ['caller', 'I want to speak to somebody.'],
    ].entries()) {
      await query(
        appliance,
        `INSERT INTO call_dialogue (id, workspace_id, call_id, session_id, position, speaker, text, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        [
          ...[newId('dia'), workspace.id, callId, session, index + 1, speaker, text],
          new Date(began.getTime() + 1_000 + index * 4_000),
        ],
      )
    }
    await query(
      appliance,
      `INSERT INTO call_events (id, call_id, workspace_id, event, direction, details, created_at)
       VALUES (?, ?, ?, 'call.node', 'inbound', '{"node_id": "menu"}', ?)`,
      [newId('evt'), callId, workspace.id, began],
    )
  })
  after(async () => bench?.stop())

  it('should show a supervisor the calls of the team, and play one beside its waveform and transcript', async () => {
    const { page, problems } = await bench.agent(sue, '/history')
    await page.getByText('No calls yet').waitFor()
    await looksGood(page, 'history-empty')
    await page.getByRole('combobox', { name: 'Whose calls' }).click()
    await page.getByRole('option', { name: 'Sales' }).click()
    await page.getByText('Anna Agent').first().waitFor()
    await looksGood(page, 'history')
    await page.locator(`a[href="/history/${callId}"]`).click()
    await page.getByRole('heading', { name: 'Recordings' }).waitFor()
    const play = page.getByRole('button', { name: 'Play' })
    await play.waitFor()
    await page.locator('[data-waveform] > div').waitFor({ state: 'attached' })
    await page.getByText('Step of the flow: menu').waitFor()
    await looksGood(page, 'history-call')
    const audio = page.locator('audio')
    await play.click()
    await page.waitForFunction(() => (document.querySelector('audio')?.currentTime ?? 0) > 0.3)
    await page.getByRole('button', { name: 'I want to speak to somebody.' }).click()
    await page.waitForFunction(() => (document.querySelector('audio')?.currentTime ?? 0) >= 5)
    await page.locator('[aria-current="true"]', { hasText: 'I want to speak' }).waitFor()
    expect(await audio.evaluate(({ duration }: HTMLAudioElement) => duration)).to.be.closeTo(seconds, 0.2)
    expect(problems).to.eql([])
  })

  it('should play a recording once it is stored, without being asked anew', async () => {
    const { appliance, workspace } = bench
    const id = await insertCall(appliance, workspace, [{ agent_id: anna.id }])
    const recording = await insertRecording(appliance, workspace, {
      ...{ call_id: id, status: 'processing', duration_ms: seconds * 1_000, size_bytes: sound.length },
    })
    const { page } = await bench.agent(anna, `/history/${id}`)
    await page.getByText('Being stored').waitFor()
    await writeFile(keptFile(appliance, recording), sound)
    await query(appliance, "UPDATE recordings SET status = 'ready' WHERE id = ?", [recording.id])
    await page.getByRole('button', { name: 'Play' }).waitFor()
    await page.context().close()
  })

  it('should show agents their own calls, and those of nobody else', async () => {
    const { page } = await bench.agent(anna, '/history')
    await page.locator(`a[href="/history/${callId}"]`).waitFor()
    expect(await page.getByRole('combobox', { name: 'Whose calls' }).count()).to.equal(0)

    // No one answered: the colleague missed the call, and the agent who made it gave up.
    const parties = [
      { ...sue, display_name: 'Sue Supervisor' },
      { ...anna, display_name: 'Anna Agent' },
    ] as const
    const internal = await insertInternalCall(bench.appliance, bench.workspace, parties, true)
    await page.goto(`${bench.url}/history/${internal}`)
    const facts = page.getByRole('main').locator('dl')
    await facts.getByText('Sue Supervisor').waitFor()
    expect(await facts.innerText()).to.match(
      /^Outcome\s+Missed\s+Side\s+Missed\s+With\s+Sue Supervisor\s+sue\s/,
    )
    expect(await facts.innerText()).to.match(/Rang\s+0:07\s/)
    expect(await facts.innerText()).to.match(/Left first\s+The caller$/)
    const { page: sues } = await bench.agent(sue, `/history/${internal}`)
    const hers = sues.getByRole('main').locator('dl')
    await hers.getByText('Canceled').waitFor()
    await hers.getByText('Outgoing').waitFor()
    await hers.getByText('Anna Agent').first().waitFor()
  })
})
