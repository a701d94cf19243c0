/** What servers know of each other's calls, through a Redis that comes late or was away for longer than they wait. */
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import { AgentClaims, noOtherCells } from '../../src/features/calls/dialling/agent-claims.js'
import { RemoteAgentClaims } from '../../src/features/calls/cluster/remote-agent-claims.js'
import { CallOwnership } from '../../src/features/calls/cluster/call-ownership.js'
import { Servers } from '../../src/features/cluster/servers.js'
import type { BusMessage } from '../../src/features/realtime/bus.js'
import { EventHub } from '../../src/features/realtime/event-hub.js'
import { RedisBus } from '../../src/features/realtime/redis-bus.js'
import type { SwitchLink } from '../../src/adapters/freeswitch/switch-link.js'
import type { Switchboard } from '../../src/adapters/freeswitch/switchboard.js'
import { eventually } from '../support/api-client.js'
import { RedisServer } from '../support/redis.js'

const log = pino({ level: 'silent' })
const bounds = { maxEvents: 100, maxBytes: 100_000, maxAgeMs: 60_000 }
const silenceMs = 1_500

class Cell {
  readonly bus: RedisBus
  readonly hub: EventHub
  readonly driver: CallOwnership
  readonly taken: RemoteAgentClaims
  readonly claims: AgentClaims
  /** What of others does not reach it. */
  readonly deafTo = new Set<BusMessage['kind']>()
  readonly link = Object.assign(new EventEmitter(), { isUp: true }) as unknown as SwitchLink

  constructor(redis: RedisServer, name: string) {
    this.bus = new RedisBus(redis.url, 'jackfield:test:drivers', log)
    const listen = this.bus.listen.bind(this.bus)
    this.bus.listen = (handler) =>
      listen({
        ...handler,
        received: (from, message) => {
          const isLost = from !== this.bus.serverId && this.deafTo.has(message.kind)
          if (!isLost) handler.received(from, message)
        },
      })
    this.hub = new EventHub(this.bus, log, { bounds, aliveMs: 200, silenceMs })
    const servers = new Servers(this.bus, this.hub, log)
    this.driver = new CallOwnership(servers, this.link, true, name)
    this.taken = new RemoteAgentClaims(servers, this.driver)
    this.claims = new AgentClaims(new EventEmitter() as unknown as Switchboard, noOtherCells)
    this.taken.shareClaims(this.claims)
    this.hub.start()
  }
}

describe('what servers know of who drives calls', function () {
  this.timeout(60_000)
  let redis: RedisServer
  const cells: Cell[] = []
  before(async () => {
    redis = await RedisServer.start()
  })
  after(async () => redis?.stop())
  afterEach(async () => {
    await Promise.all(cells.splice(0).map(async ({ hub }) => hub.stop()))
  })

  const start = (...names: string[]) => {
    cells.push(...names.map((name) => new Cell(redis, name)))
    return cells as unknown as [a: Cell, b: Cell]
  }
  const knows = (one: Cell, other: Cell, name: string) =>
    one.driver.serverOf(name) === other.bus.serverId && one.taken.cells.has(name)
  const know = async () => {
    const [a, b] = cells as unknown as [Cell, Cell]
    await until(() => knows(a, b, 'b') && knows(b, a, 'a'), 'both know of each other')
  }
  const isFree = ({ taken }: Cell, agent: string) => !taken.has(agent)

  it('is right when Redis comes after the servers', async () => {
    await redis.kill()
    const [a, b] = start('a', 'b')
    await a.claims.claim('ag_1', 'call_1')
    await sleep(500)
    await redis.restart()
    await know()
    await until(() => !isFree(b, 'ag_1'), 'the agent is taken')
  })

  it('is right again after it was away for longer than servers wait for each other', async () => {
    const [a, b] = start('a', 'b')
    await know()
    await redis.kill()
    await until(() => a.driver.serverOf('b') === null && b.driver.serverOf('a') === null, 'both forget')
    await a.claims.claim('ag_1', 'call_1')
    await redis.restart()
    await know()
    await until(() => !isFree(b, 'ag_1'), 'the agent is taken')
  })

  it('is right again after it was away for a moment, in which something changed', async () => {
    const [a, b] = start('a', 'b')
    await know()
    const giveUp = await a.claims.claim('ag_1', 'call_1')
    await until(() => !isFree(b, 'ag_1'), 'the agent is taken')
    await redis.kill()
    await until(() => !a.bus.isUp && !b.bus.isUp, 'both have lost it')
    giveUp?.()
    await a.claims.claim('ag_2', 'call_2')
    await redis.restart()
    await until(() => isFree(b, 'ag_1') && !isFree(b, 'ag_2'), 'one agent is free and another is taken')
    await know()
  })

  it('heals by itself where what was said once is lost', async () => {
    const [a, b] = start('a', 'b')
    for (const cell of [a, b]) for (const kind of ['hello', 'shared'] as const) cell.deafTo.add(kind)
    await sleep(1_000)
    expect(a.taken.cells.has('b')).to.equal(false)
    for (const cell of [a, b]) cell.deafTo.delete('shared')
    await know()
    Object.assign(b.link, { isUp: false })
    await until(() => a.driver.serverOf('b') === null, 'one that drives no more is known not to')
  })

  it('is told over a connection to speak that came after the one to hear', async () => {
    const [a, b] = start('a', 'b')
    await know()
    let found = 0
    a.bus.listen({ received: () => undefined, connected: () => (found += Number(a.bus.isUp)) })
    a.bus.publisher.disconnect(true)
    await until(() => found === 1, 'it is found again')
    await know()
    expect(b.bus.isUp).to.equal(true)
  })
})

async function until(isSo: () => boolean, what: string): Promise<void> {
  await eventually(
    async () => isSo(),
    (so) => so,
    { withinMs: 15_000, everyMs: 10, what },
  )
}
