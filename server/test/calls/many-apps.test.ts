/** Many agents' apps in calls while the server is killed: nobody hears of it, and all comes to a proper end. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import { type AgentApp, AppBench, type Way } from '../support/app-bench.js'
import { findChromium } from '../support/browser.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { type PhoneDialog } from '../support/phone-dialog.js'
import { TeamBench, hearing } from '../support/team-bench.js'

const callerHz = 440

/** `JACKFIELD_TEST_APPS=20` to see it at the size that the product promises; it then tells what it has measured. */
const asked = process.env['JACKFIELD_TEST_APPS']
const count = Number(asked ?? 5)

/** Packets that an app gets in a second: 20 ms each. */
const usualRate = 50

interface Bridge {
  id: string
  app: AgentApp
  caller: PhoneDialog
  way: Way
}

describe(`${count} apps in calls while the server is killed, on the freeswitch`, function () {
  this.timeout(120_000 + 15_000 * count)
  let bench: TeamBench
  let apps: AppBench
  const bridges: Bridge[] = []

  before(async function () {
    if (!findChromium() || !(await findFreeswitch())) this.skip()
    bench = await TeamBench.start({
      settings: { JACKFIELD_RATE_LIMITS_AUTH: '1000000', JACKFIELD_CALLS_MAX_CONCURRENT: '100' },
    })
    apps = await AppBench.on(bench)
    for (let index = 0; index < count; index++) {
      const app = await apps.agent(`agent${String.fromCharCode(97 + index)}`, 600 + 50 * index)
      await bench.leadsTo('connect_agent', { agent_id: app.agent.id })
      const caller = await bench.call(callerHz)
      const way = await app.pickUp(0)
      bridges.push({ id: way.call_id, app, caller, way })
    }
  })
  after(async () => apps?.stop())

  const tell = (what: string, figure: unknown) => {
    if (asked) console.log(`      ${what}: ${String(figure)}`)
  }
  const hearEachOther = async ({ app, caller }: Bridge) => {
    await Promise.all([
      hearing(caller, app.hz, `the caller hears ${app.agent.username}`),
      app.page.hears([callerHz], [], 30_000),
    ])
  }
  const allHear = async () => Promise.all(bridges.map(hearEachOther))
  /** Comes back as apps do: again a second later, when the server does not know its calls yet. */
  const comeBack = async ({ app, way }: Bridge, event: string, resume: boolean) => {
    await eventually(
      async () => {
        if (await app.page.call('app', 'closed')) await app.enter(way, resume)
        return app.page.call('app', 'told', 'socket')
      },
      (told) => told.some((one) => one.event === event),
      { withinMs: 90_000, everyMs: 1_000, what: `${event} for ${app.agent.username}` },
    )
  }

  it('goes on meanwhile; all come back, and their calls end as any', async () => {
    await allHear()
    const { appliance } = bench.inbound.bench
    await appliance.killServer()
    const killedAt = Date.now()
    for (const { app } of bridges) expect(await app.closed()).to.equal(1006)
    const began = await Promise.all(
      bridges.map(async ({ app }) => ({ at: Date.now(), packets: await app.page.packets() })),
    )
    await eventually(
      async () => Promise.all(bridges.map(async ({ app }) => app.page.packets())),
      (all) => all.every((packets, index) => packets > (began[index]?.packets ?? 0) + 4 * usualRate),
      { withinMs: 30_000, everyMs: 500, what: 'four seconds of packets without a server' },
    )
    const rates = await Promise.all(
      bridges.map(async ({ app }, index) => {
        const { at, packets } = began[index]!
        return Math.round(((await app.page.packets()) - packets) / ((Date.now() - at) / 1000))
      }),
    )
    await allHear()
    const startedAt = Date.now()
    await appliance.startServer()
    const healthyAt = Date.now()
    const reloading = bridges.filter((_, index) => index % 4 === 3)
    await Promise.all(
      bridges.map(async (bridge) => {
        if (!reloading.includes(bridge)) return comeBack(bridge, 'call.token', true)
        await bridge.app.page.load()
        await bridge.app.listen()
        await bridge.app.enter(bridge.way)
        await comeBack(bridge, 'call.offer', false)
        await bridge.app.answer()
      }),
    )
    const backAt = Date.now()
    await allHear()
    tell('packets a second without a server', rates.join(' '))
    tell('without a server, ms', startedAt - killedAt)
    tell('start until healthy, ms', healthyAt - startedAt)
    tell('healthy until all are back, ms', backAt - healthyAt)
    tell('back with a new leg', reloading.length)
    await Promise.all(
      bridges.map(async ({ app, caller }, index) => {
        if (index % 2 === 0) await caller.hangUp()
        else await app.say('call.hangup')
        expect(await app.told('call.ended')).to.eql({ reason: 'hangup' })
        if (index % 2 === 1) expect(await caller.over()).to.equal('BYE')
      }),
    )
    for (const bridge of bridges) {
      const { status, hangup_cause, legs } = await bench.inbound.bench.ended(bridge.id)
      expect({ status, hangup_cause }).to.eql({ status: 'completed', hangup_cause: 'NORMAL_CLEARING' })
      const parts = legs.map(({ role, agent_id, answered_at, ended_at }) => ({
        ...{ role, agent_id, isWhole: answered_at !== null && ended_at !== null },
      }))
      const own = { role: 'destination', agent_id: bridge.app.agent.id, isWhole: true }
      expect(parts).to.eql([
        { role: 'caller', agent_id: null, isWhole: true },
        ...(reloading.includes(bridge) ? [own, own] : [own]),
      ])
    }
    for (const { app } of bridges) {
      const agent = await bench.phones.api.get(`/agents/${app.agent.id}`)
      expect(agent.body.state, app.agent.username).to.not.be.oneOf(['incall', 'busy'])
    }
  })
})
