/** What several servers share through Redis, streams above all: within this process to choose the moment, and as whole servers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import { EventHub } from '../../src/features/realtime/event-hub.js'
import { RedisBus } from '../../src/features/realtime/redis-bus.js'
import { type ApiClient, eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { EventReader } from '../support/event-reader.js'
import { RedisServer } from '../support/redis.js'
import { StreamReader } from '../support/stream-reader.js'
import { query } from './database.js'
import {
  keyRights,
  keyWith,
  newActiveNumber,
  newPerson,
  newTeam,
  startUnlimited,
  succeed,
} from './fixtures.js'

const log = pino({ level: 'silent' })
const bounds = { maxEvents: 100, maxBytes: 100_000, maxAgeMs: 60_000 }
const acme = { id: 'acme' }

describe('streams of several servers', function () {
  this.timeout(90_000)
  let redis: RedisServer
  before(async () => {
    redis = await RedisServer.start()
  })
  after(async () => redis?.stop())

  describe('through Redis', () => {
    const hubs: EventHub[] = []
    afterEach(async () => {
      await Promise.all(hubs.splice(0).map(async (hub) => hub.stop()))
    })

    /** A server's hub, once it shares what happens. */
    async function newHub(): Promise<EventHub> {
      const bus = new RedisBus(redis.url, 'jackfield:test:streams', log)
      const hub = new EventHub(bus, log, { bounds, aliveMs: 200, silenceMs: 2_000 })
      hubs.push(hub)
      hub.start()
      await shared(hub)
      return hub
    }
    const shared = async (hub: EventHub) => until(() => hub.isShared)
    const publish = (hub: EventHub, event: string) =>
      hub.publish({ workspace_id: acme.id, event, to: { everyAgent: true }, data: {} })

    it('events come to the streams of all, in one order', async () => {
      const [here, there] = [await newHub(), await newHub()]
      const [one, two] = [agent(here, 's1').open(), agent(there, 's2').open()]
      await until(() => [here, there].every((hub) => [...hub.streamsIn(acme)].length === 2))
      for (let count = 0; count < 50; count++) publish(count % 2 ? here : there, `event-${count}`)
      await until(() => one.frames.length === 50 && two.frames.length === 50)
      expect(one.frames).to.deep.equal(two.frames)
    })

    it('a stream that is cut goes on at another server', async () => {
      const [here, there] = [await newHub(), await newHub()]
      const reader = agent(here, 's1').open()
      await until(() => there.isHeard(acme.id))
      publish(here, 'first')
      await until(() => reader.names.length === 1)
      reader.end('cut')
      publish(here, 'second')
      const watcher = agent(there, 's2').open()
      publish(here, 'third')
      await until(() => watcher.names.includes('third'))
      const back = agent(there, 's3').open(reader.frames[0]?.id)
      expect([back.isComplete, back.names]).to.deep.equal([true, ['second', 'third']])
    })

    it('a personal event is made for the streams of all', async () => {
      const [here, there] = [await newHub(), await newHub()]
      const readers = [agent(here, 's1').open(), agent(there, 's2').open()]
      await until(() => [...here.streamsIn(acme)].length === 2)
      here.publish({
        ...{ workspace_id: acme.id, event: 'call.ring', to: { agents: ['ag_1'] } },
        data: ({ stream_id }) => ({ token: stream_id }),
      })
      await until(() => readers.every(({ names }) => names.length === 1))
      expect(readers.map(({ frames }) => frames[0]?.data['token'])).to.deep.equal(['s1', 's2'])
    })

    it('a subject is told to be there once, and gone once, wherever its streams are', async () => {
      const [here, there] = [await newHub(), await newHub()]
      const told: string[] = []
      for (const [name, hub] of Object.entries({ here, there })) {
        hub.onPresence(({ id, live }) => told.push(`${name}: ${id} ${live}`))
      }
      const [one, two] = [agent(here, 's1').open(), agent(there, 's2').open()]
      await until(() => there.streamsOf(acme, one).length === 2)
      const first = told[0]!
      expect(['here: ag_1 true', 'there: ag_1 true']).to.include(first)
      // Both at once: the last of them is the last for all.
      one.end('cut')
      two.end('cut')
      await until(() => told.length === 2)
      expect(told[1]).to.match(/: ag_1 false$/)
      await sleep(300)
      expect(told).to.have.length(2)
    })

    it('a server that comes later knows who is there; one that goes without a word is forgotten', async () => {
      const here = await newHub()
      agent(here, 's1').open()
      const there = await newHub()
      await until(() => there.sessions(acme).agents.has('ag_1'))
      const told: string[] = []
      there.onPresence(({ id, live }) => told.push(`${id} ${live}`))
      hubs.splice(hubs.indexOf(here), 1)
      await here.stop()
      await until(() => !there.sessions(acme).agents.has('ag_1'))
      expect(told).to.deep.equal(['ag_1 false'])
    })

    it('without Redis each server tells its own, and all is as before when it is back', async () => {
      const [here, there] = [await newHub(), await newHub()]
      const [one, two] = [agent(here, 's1').open(), agent(there, 's2').open()]
      await until(() => [...here.streamsIn(acme)].length === 2)
      await redis.kill()
      await until(() => !here.isShared && !there.isShared)
      publish(here, 'alone')
      expect([one.names, two.names]).to.deep.equal([['alone'], []])
      agent(here, 's3').open()
      await redis.restart()
      await Promise.all([here, there].map(shared))
      await until(() => [...there.streamsIn(acme)].length === 3)
      publish(here, 'together')
      await until(() => two.names.includes('together'))
    })

    it('what Redis does not bring back in time is told without it, and once', async () => {
      const here = await newHub()
      const reader = agent(here, 's1').open()
      await until(() => here.sessions(acme).agents.has('ag_1'))
      redis.freeze(true)
      publish(here, 'late')
      await until(() => reader.names.length === 1)
      redis.freeze(false)
      publish(here, 'next')
      await until(() => reader.names.includes('next'))
      expect(reader.names).to.deep.equal(['late', 'next'])
    })
  })

  describe('as whole servers', () => {
    let appliance: Appliance
    let workspace: TestWorkspace
    let port: number
    const readers: EventReader[] = []

    before(async () => {
      const settings = { JACKFIELD_REDIS_URL: redis.url, JACKFIELD_STREAM_MAX_PER_AGENT: '5' }
      appliance = await startUnlimited(settings)
      port = await appliance.startAnotherServer()
      workspace = await appliance.workspace()
      await newActiveNumber(appliance, workspace)
    })
    after(async () => appliance?.stop())
    afterEach(() => {
      for (const reader of readers.splice(0)) reader.close()
    })

    async function open(api: ApiClient): Promise<EventReader> {
      const reader = await EventReader.open(api)
      readers.push(reader)
      return reader
    }

    it('a call of one is heard at the other', async () => {
      const person = await newPerson(workspace)
      const [here, there] = [await open(person.api), await open(person.api.with({ port }))]
      const actions = [{ action: 'tts', params: { text: 'One moment. '.repeat(200) } }]
      const input = { to: { number: '+12025550100' }, actions }
      const { call_id } = (await succeed(workspace.api.post('/calls/make', input))).data
      await eventually(
        async () => succeed(workspace.api.get(`/calls/${call_id}`)),
        ({ status }) => status === 'started',
      )
      await query(appliance, 'UPDATE call_legs SET agent_id = ? WHERE call_id = ?', [person.id, call_id])
      await succeed(workspace.api.post(`/calls/${call_id}/hangup`))
      const heard = await Promise.all([here, there].map(async (reader) => reader.next('call.ended')))
      expect(heard[0]).to.deep.equal(heard[1])
    })

    it('a person has five streams on all of them, and a session that ends ends them all', async () => {
      const person = await newPerson(workspace)
      const elsewhere = person.api.with({ port })
      const held = [
        ...[await open(person.api), await open(person.api), await open(person.api)],
        ...[await open(elsewhere), await open(elsewhere)],
      ]
      for (const api of [person.api, elsewhere]) {
        const refusal = await eventually(
          async () =>
            open(api).then(
              (reader) => reader.close(),
              (error: unknown) => String(error),
            ),
          (outcome) => outcome !== undefined,
        )
        expect(refusal).to.include('403')
      }
      const { username, password, device_id } = person
      const visitor = workspace.api.with({ authorization: undefined })
      await succeed(visitor.post('/auth/login', { username, password, device_id }))
      for (const reader of held) {
        expect((await reader.next('stream.closed')).data.reason).to.equal('session_ended')
      }
    })

    const call = async (api: ApiClient): Promise<string> => {
      const input = { to: { number: '+12025550100' }, actions: [{ action: 'hangup' }] }
      return (await succeed(api.post('/calls/make', input))).data.call_id
    }
    const listening = async (api: ApiClient): Promise<string> => {
      const webhook = { title: '', url: 'https://hooks.invalid/', events: ['call.created'] }
      return (await succeed(api.post('/webhooks', webhook))).id
    }
    /** The events come with the answer. */
    const heardBy = async (id: string): Promise<number> =>
      (await succeed(workspace.api.get(`/webhooks/${id}/deliveries`))).data.length

    it('a webhook that was made at one hears what happens next at the other, and no more once it is off', async () => {
      const apis = [workspace.api, workspace.api.with({ port })]
      for (let turn = 0; turn < 10; turn++) {
        const [here, there] = (turn % 2 ? apis : [...apis].reverse()) as [ApiClient, ApiClient]
        await call(there)
        const id = await listening(here)
        await call(there)
        expect(await heardBy(id), `turn ${turn}`).to.equal(1)
        await succeed(there.patch(`/webhooks/${id}`, { is_active: false }))
        await call(here)
        expect(await heardBy(id), `turn ${turn}, off`).to.equal(1)
        await succeed(here.delete(`/webhooks/${id}`))
      }
    })

    it('what is taken back at one is refused by the other at once', async () => {
      const other = await appliance.workspace()
      const { id: number } = await newActiveNumber(appliance, other)
      const key = await keyWith(other, keyRights)
      const there = key.with({ port })
      await call(there)
      await succeed(other.api.patch(`/phone-numbers/${number}`, { enable_outbound: false }))
      expect(
        (await there.post('/calls/make', { to: { number: '+12025550100' }, actions: [] })).status,
      ).to.equal(400)
      const keys = await succeed(other.api.get('/api-keys'))
      const sid = keys.data.find((one: { sid: string }) => one.sid !== other.sid).sid
      await succeed(other.api.delete(`/api-keys/${sid}`))
      expect((await there.get('/profile')).status).to.equal(401)
      const elsewhere = other.api.with({ port })
      expect((await elsewhere.get('/profile')).status).to.equal(200)
      await succeed(appliance.operator.patch(`/workspaces/${other.id}`, { is_suspended: true }))
      expect((await elsewhere.get('/profile')).status).to.equal(403)
    })

    it('a list counts what was made at the other, and shows what it has shared', async () => {
      const other = await appliance.workspace()
      const there = other.api.with({ port })
      const seen = async () => {
        const { data, meta } = await succeed(there.get('/phone-numbers?limit=2'))
        return {
          total: meta.total,
          shared: data.map((one: { shared_teams_id: string[] }) => one.shared_teams_id),
        }
      }
      const team = await newTeam(other.api)
      const ids: string[] = []
      for (let total = 1; total <= 4; total++) {
        ids.unshift((await newActiveNumber(appliance, other)).id)
        const shared = Array.from({ length: Math.min(total, 2) }, () => [])
        expect(await seen(), `${total} numbers`).to.deep.equal({ total, shared })
      }
      const [newest = ''] = ids
      await succeed(other.api.patch(`/phone-numbers/${newest}`, { shared_teams_id: [team] }))
      expect(await seen()).to.deep.equal({ total: 4, shared: [[team], []] })
      await succeed(other.api.patch(`/phone-numbers/${newest}`, { shared_teams_id: [] }))
      await succeed(other.api.delete(`/phone-numbers/${ids[1]}`))
      expect(await seen()).to.deep.equal({ total: 3, shared: [[], []] })
    })

    it('what Redis does not bring is seen within three seconds, and at once while they know that it is away', async () => {
      const isAway = async (api: ApiClient) => (await api.get('/health')).body.parts.redis === 'down'
      const there = workspace.api.with({ port })
      await call(there)
      redis.freeze(true)
      try {
        const id = await listening(workspace.api)
        await sleep(3_000)
        await call(there)
        expect(await heardBy(id)).to.equal(1)
      } finally {
        redis.freeze(false)
      }
      await redis.kill()
      try {
        for (const api of [appliance.operator, appliance.operator.with({ port })])
          await eventually(
            async () => isAway(api),
            (away) => away,
          )
        await call(there)
        const id = await listening(workspace.api)
        await call(there)
        expect(await heardBy(id)).to.equal(1)
      } finally {
        await redis.restart()
      }
      for (const api of [appliance.operator, appliance.operator.with({ port })])
        await eventually(
          async () => isAway(api),
          (away) => !away,
        )
    })

    it('health tells of Redis, and that servers serve and start without it', async () => {
      const health = async () => (await appliance.operator.get('/health')).body.parts
      expect(await health()).to.include({ redis: 'up' })
      await redis.kill()
      try {
        await eventually(health, ({ redis: state }) => state === 'down')
        const { status, body } = await appliance.operator.get('/health')
        expect([status, body.serves, body.status]).to.deep.equal([200, true, 'degraded'])
        const port = await appliance.startAnotherServer()
        expect((await workspace.api.with({ port }).get('/profile')).status).to.equal(200)
      } finally {
        await redis.restart()
      }
      await eventually(health, ({ redis: state }) => state === 'up')
    })
  })
})

function agent(hub: EventHub, streamId: string): StreamReader {
  return new StreamReader(hub, 'agent', 'ag_1', streamId)
}

async function until(isSo: () => boolean): Promise<void> {
  await eventually(
    async () => isSo(),
    (so) => so,
    { withinMs: 20_000, everyMs: 5 },
  )
}
