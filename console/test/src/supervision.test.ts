/** A supervisor hears a call from the live board, and whispers, on a real FreeSWITCH: who hears whom. */
import { expect } from 'chai'
import { findFreeswitch } from '../../../server/dist/test/support/freeswitch.js'
import { onlyHears } from '../../../server/dist/test/support/bridge-bench.js'
import { TeamBench, type Worker, rung } from '../../../server/dist/test/support/team-bench.js'
import { type ConsoleAgent, ConsoleBench } from './support/console-bench.js'
import { looksGood } from './support/looks.js'
import { pageHears, singing } from './support/page-sound.js'

const callerHz = 440
const annaHz = 900
const sueHz = 1_300

describe('Supervision from the live board', function () {
  this.timeout(180_000)
  let team: TeamBench
  let bench: ConsoleBench
  let sue: ConsoleAgent
  let anna: Worker

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    team = await TeamBench.start({ settings: { JACKFIELD_RATE_LIMITS_AUTH: '10000' } })
    bench = await ConsoleBench.on(team.inbound.bench.workspace)
    anna = await team.worker('anna', annaHz)
    sue = await bench.makeAgent('sue', { role: 'supervisor', display_name: 'Sue Supervisor' })
    const { api } = team.phones
    const sales = await api.post('/teams', { name: 'Sales' })
    for (const id of [sue.id, anna.agent.id]) await api.put(`/teams/${sales.body.id as string}/agents/${id}`)
    await team.leadsTo('connect_agent', { agent_id: anna.agent.id })
    await team.ready(anna)
  })
  after(async () => {
    await bench?.closePages()
    await team?.stop()
  })

  it('should let a supervisor listen, whisper to the agent alone, speak to all, and stop', async () => {
    const context = await bench.context()
    await singing(context, sueHz)
    const { page, problems } = await bench.agent(sue, '/live?show=calls', context)
    await page.getByText('No calls at the moment').waitFor()
    const had = anna.phone.incoming.length
    const caller = await team.call(callerHz)
    const annas = await rung(anna, had)
    await annas.up()
    const call = page.getByRole('table', { name: 'Calls' }).getByRole('row').nth(1)
    const hears = async (dialog: typeof caller, hz: number[], who: string) =>
      onlyHears({ dialog, phone: dialog.phone }, hz, who)
    await call.getByRole('button', { name: /^Listen/ }).click()
    for (const hz of [callerHz, annaHz]) await pageHears(page, hz)
    await hears(annas, [callerHz], 'anna')
    await call.getByRole('button', { name: /^Whisper/ }).click()
    await call.getByRole('button', { name: /^Whisper/, pressed: true }).waitFor()
    await hears(annas, [callerHz, sueHz], 'anna')
    await hears(caller, [annaHz], 'the caller')
    await looksGood(page, 'live-whisper')
    await call.getByRole('button', { name: /^Speak to all/ }).click()
    await hears(annas, [callerHz, sueHz], 'anna')
    await hears(caller, [annaHz, sueHz], 'the caller')
    for (const hz of [callerHz, annaHz]) await pageHears(page, hz)
    await call.getByRole('button', { name: /^Stop/ }).click()
    await hears(caller, [annaHz], 'the caller')
    await hears(annas, [callerHz], 'anna')
    await call.getByRole('button', { name: /^Listen/ }).waitFor()
    await caller.hangUp()
    await page.getByText('No calls at the moment').waitFor()
    expect(problems).to.eql([])
  })
})
