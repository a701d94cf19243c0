/** A FreeSWITCH that dies and does not come back, or is taken for dead, while its server lives. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { EventSocket } from '../../src/adapters/freeswitch/event-socket.js'
import { eventually } from '../support/api-client.js'
import type { CallBench } from '../support/call-bench.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { freePort } from '../support/free-ports.js'
import { RedisServer } from '../support/redis.js'
import { TeamBench } from '../support/team-bench.js'

const somebody = '+12025550100'
const talking = [{ action: 'to_operator', params: { phone_number: somebody } }]

describe('a dead switch on the freeswitch', function () {
  this.timeout(180_000)
  let teams: TeamBench | undefined
  let redis: RedisServer | undefined

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
  })
  afterEach(async () => {
    await teams?.stop()
    await redis?.stop()
    ;[teams, redis] = [undefined, undefined]
  })

  const start = async (settings: Record<string, string> = {}): Promise<CallBench> => {
    teams = await TeamBench.start({ settings })
    return teams.inbound.bench
  }
  const held = async (bench: CallBench) =>
    ((await bench.api.get('/credit')).body as { held?: number }).held ?? 0

  /** Kills it in the middle of calls, and keeps it from restarting. */
  const dies = async (bench: CallBench) => {
    const ann = await teams!.worker('ann', 620)
    await teams!.ready(ann)
    const toAnn = { action: 'connect_agent', params: { agent_id: ann.agent.id, timeout: 20 } }
    const cut = await bench.call(somebody, talking)
    const ofAnn = await bench.call(somebody, [toAnn])
    for (const id of [cut, ofAnn]) await bench.reaches(id, 'active', 30_000)
    await sleep(2_000)
    expect(await held(bench)).to.be.above(0)
    expect(await teams!.state(ann)).to.equal('incall')
    const died = Date.now()
    await bench.appliance.freeswitch!.kill()
    const never = await bench.call(somebody, talking)

    for (const id of [cut, ofAnn]) {
      const record = await bench.ended(id, 40_000)
      expect(record).to.include({ status: 'completed', hangup_cause: 'CRASH' })
      expect(Date.parse(record.ended_at!), 'when it died').to.be.within(died - 2_500, died + 500)
    }
    expect(Date.now() - died, 'within seconds').to.be.within(15_000, 30_000)
    const record = await bench.ended(never, 40_000)
    expect(Date.now() - died).to.be.within(29_000, 40_000)
    expect(record).to.include({ status: 'failed', answered_at: null, cost: 0 })
    expect(await held(bench)).to.equal(0)
    expect(await teams!.state(ann)).to.equal('available')
    // At most one may live at once: nothing of the dead ones counts.
    const path = `/workspaces/${bench.workspace.id}`
    await bench.appliance.operator.patch(path, { max_concurrent_calls: 1 })

    await bench.appliance.freeswitch!.restart()
    await eventually(
      async () => (await bench.api.get('/health')).body.parts as Record<string, string>,
      (parts) => parts['switch'] === 'up',
      { what: 'the switch', withinMs: 30_000 },
    )
    const next = await bench.call(somebody, [toAnn])
    await bench.reaches(next, 'active', 30_000)
    await bench.api.post(`/calls/${next}/hangup`)
    expect((await bench.ended(next)).status).to.equal('completed')
    expect((await bench.record(cut)).hangup_cause, 'once only').to.equal('CRASH')
  }

  it('that does not come back: its calls end as of its death, and what had not begun is given up', async () => {
    await dies(await start())
  })

  it('of one of several servers: as well', async () => {
    redis = await RedisServer.start()
    await dies(await start({ JACKFIELD_REDIS_URL: redis.url }))
  })

  it('that only seemed so hangs up what it still has when it can be reached again', async () => {
    const bench = await start({
      JACKFIELD_SWITCH_OWN_SIP_ADDRESS: `127.0.0.1:${await freePort()}`,
      JACKFIELD_LOG_LEVEL: 'warn',
    })
    const { appliance } = bench
    const cut = await bench.call(somebody, talking)
    await bench.reaches(cut, 'active', 30_000)
    const lost = Date.now()
    const back = appliance.cutLink(25_000)
    const record = await bench.ended(cut, 40_000)
    expect(record.hangup_cause).to.equal('CRASH')
    expect(Date.parse(record.ended_at!)).to.be.within(lost - 2_500, lost + 500)
    expect(await channels(bench), 'they still talk').to.equal(2)
    await back
    await eventually(
      async () => channels(bench),
      (count) => count === 0,
      { what: 'an end of all channels', withinMs: 40_000, everyMs: 500 },
    )
    expect(await bench.record(cut)).to.deep.equal(record)
  })
})

/** How many the switch has. */
async function channels({ appliance }: CallBench): Promise<number> {
  const handlers = { onEvent: () => undefined, onClose: () => undefined, isAwaited: () => false }
  const socket = await EventSocket.open(appliance.eventSocket, handlers)
  const answer = await socket.api('show channels count', 5_000)
  socket.close()
  return Number(/(\d+) total/.exec(answer)?.[1])
}
