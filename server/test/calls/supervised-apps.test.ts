/** An agent and a supervisor in browsers, and a caller with a telephone: who hears whom, on a real FreeSWITCH. */
import { expect } from 'chai'
import type { ApiClient } from '../support/api-client.js'
import { type AgentApp, AppBench } from '../support/app-bench.js'
import { findChromium } from '../support/browser.js'
import { findFreeswitch } from '../support/freeswitch.js'
import type { PhoneDialog } from '../support/phone-dialog.js'
import { onlyHears } from '../support/bridge-bench.js'
import { TeamBench, type Worker, rung } from '../support/team-bench.js'

const callerHz = 440

describe('supervision and transfer between browsers on the freeswitch', function () {
  this.timeout(120_000)
  let bench: TeamBench
  let apps: AppBench
  let anna: AgentApp
  let sue: AgentApp
  let ben: Worker

  before(async function () {
    if (!findChromium() || !(await findFreeswitch())) this.skip()
    bench = await TeamBench.start({ settings: { JACKFIELD_RATE_LIMITS_AUTH: '1000000' } })
    apps = await AppBench.on(bench)
    anna = await apps.agent('anna', 900)
    sue = await apps.agent('sue', 1300)
    ben = await bench.worker('ben', 600)
    await bench.phones.api.patch(`/agents/${sue.agent.id}`, { role: 'supervisor' })
    await bench.phones.team('Sales', [anna.agent, sue.agent])
    await bench.leadsTo('connect_agent', { agent_id: anna.agent.id })
  })
  after(async () => apps?.stop())

  const as = ({ accessToken }: AgentApp): ApiClient =>
    bench.phones.api.with({ authorization: `Bearer ${accessToken}` })
  const hears = async (dialog: PhoneDialog, hz: number[], who: string) =>
    onlyHears({ dialog, phone: dialog.phone }, hz, who)

  const begin = async () => {
    const had = await anna.incomingCalls()
    const caller = await bench.call(callerHz)
    const way = await anna.pickUp(had)
    await hears(caller, [anna.hz], 'the caller')
    await anna.page.hears([callerHz])
    return { caller, way, path: `/call-center/calls/${way.call_id}` }
  }
  const supervise = async (path: string, mode: string, ws_url: string) => {
    const { status, body } = await as(sue).post(`${path}/${mode}`)
    expect(status, JSON.stringify(body)).to.equal(200)
    await sue.enter({ ws_url, call_token: body.call_token as string })
    await sue.answer()
  }

  it('a supervisor listens, whispers and barges, and stops', async () => {
    const { caller, way, path } = await begin()
    await supervise(path, 'listen', way.ws_url)
    await sue.page.hears([callerHz, anna.hz])
    await anna.page.hears([callerHz], [sue.hz])
    await hears(caller, [anna.hz], 'the caller')
    expect((await as(sue).post(`${path}/whisper`)).status).to.equal(200)
    await anna.page.hears([callerHz, sue.hz])
    await hears(caller, [anna.hz], 'the caller')
    expect((await as(sue).post(`${path}/barge`)).status).to.equal(200)
    await hears(caller, [anna.hz, sue.hz], 'the caller')
    await anna.page.hears([callerHz, sue.hz])
    expect((await as(sue).post(`${path}/listen`)).status).to.equal(200)
    await hears(caller, [anna.hz], 'the caller')
    await anna.page.hears([callerHz], [sue.hz])
    expect((await as(sue).delete(`${path}/supervision`)).status).to.equal(200)
    expect(await sue.told('call.ended')).to.deep.equal({ reason: 'hangup' })
    await hears(caller, [anna.hz], 'the caller')
    await anna.say('call.hangup')
    await caller.over()
    await bench.end()
  })

  it('a call is handed over to a SIP phone, and the supervisor goes with it', async () => {
    const { caller, way, path } = await begin()
    await supervise(path, 'whisper', way.ws_url)
    await anna.page.hears([callerHz, sue.hz])
    const before = ben.phone.incoming.length
    await bench.inState(ben, 'available')
    const { status, body } = await as(anna).post(`${path}/transfer`, { target_username: 'ben' })
    expect(status, JSON.stringify(body)).to.equal(200)
    const bens = await rung(ben, before)
    await hears(caller, [ben.hz], 'the caller')
    await hears(bens, [callerHz, sue.hz], 'ben')
    await sue.page.hears([callerHz, ben.hz], [anna.hz])
    expect(await anna.told('call.ended')).to.deep.equal({ reason: 'transferred' })
    await caller.hangUp()
    await sue.told('call.ended')
    await bens.over()
    await bench.end()
  })

  it('an app hands a call over by its socket, and the supervisor stays with an app that comes back', async () => {
    const { caller, way, path } = await begin()
    await supervise(path, 'whisper', way.ws_url)
    await anna.page.hears([callerHz, sue.hz])
    await anna.page.load()
    await anna.enter(way)
    await anna.answer()
    await anna.page.hears([callerHz, sue.hz])
    await hears(caller, [anna.hz], 'the caller')
    await anna.say('call.transfer', { target: 'nobody' })
    expect(await anna.told('error')).to.include({ code: 'bad_target' })
    const before = ben.phone.incoming.length
    await bench.inState(ben, 'available')
    await anna.say('call.transfer', { target: 'ben', reason: 'knows more' })
    const bens = await rung(ben, before)
    await hears(bens, [callerHz, sue.hz], 'ben')
    expect(await anna.told('call.ended')).to.deep.equal({ reason: 'transferred' })
    await caller.hangUp()
    await bens.over()
    await bench.end()
  })
})
