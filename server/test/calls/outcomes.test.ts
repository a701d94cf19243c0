/** What calls came to, on a real FreeSWITCH and Kamailio: each outcome as its parties made it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { findFreeswitch } from '../support/freeswitch.js'
import type { CallRecord } from '../support/call-bench.js'
import { query } from '../api/database.js'
import { eventually } from '../support/api-client.js'
import { EventReader } from '../support/event-reader.js'
import { TeamBench, type SignedInWorker, hearing, rung } from '../support/team-bench.js'

interface Outcome extends CallRecord {
  outcome: string | null
  abandoned_in: string | null
  ended_by: string | null
  wait_seconds: number
  ring_seconds: number
  talk_seconds: number
  hold_seconds: number
  team: { id: string; title: string } | null
  queue: { id: string; title: string } | null
  phone_number: { number: string } | null
  call_flow: { title: string } | null
  answered_by: { kind: string; name: string } | null
  missed_by: { username: string }[]
  contact: { name: string } | null
}

interface Missed {
  call_id: string
  handled_by: { username: string } | null
}

const callerNumber = '+12125550123'

describe('outcomes of calls on the freeswitch', function () {
  this.timeout(120_000)
  let bench: TeamBench
  let anna: SignedInWorker
  let bob: SignedInWorker
  let team: string

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await TeamBench.start()
    anna = await bench.signedIn('anna', 600)
    bob = await bench.signedIn('bob', 700)
    team = await bench.phones.team('Sales', [anna.agent, bob.agent])
    await bench.phones.api.post('/contacts', { name: 'Maria Miller', numbers: [callerNumber] })
  })
  beforeEach(async () => bench.ready(anna, bob))
  after(async () => bench?.stop())

  /** A caller who gives up as soon as a phone rings. */
  const givesUp = async (ringMs = 0) => {
    anna.phone.onCall = 'ring'
    const before = anna.phone.incoming.length
    const phone = await bench.inbound.caller()
    const dialog = phone.call(bench.inbound.number)
    await rung(anna, before)
    await sleep(ringMs)
    phone.cancel(dialog)
  }
  const last = async () => (await bench.inbound.lastCall()) as Outcome
  const found = async (query: string) =>
    ((await bench.phones.api.get(`/calls?${query}`)).body.data as Outcome[]).map(({ call_id }) => call_id)

  it('answered: by an agent, with the seconds that each part took, the team, the number, the flow and the contact', async () => {
    await bench.leadsTo('connect_team', { team_id: team, queue: {} })
    anna.phone.onCall = 'ring'
    bob.phone.onCall = 'ring'
    const before = anna.phone.incoming.length
    const caller = await bench.call()
    const annas = await rung(anna, before)
    await sleep(1_500)
    anna.phone.accept(annas)
    expect(await caller.answered()).to.equal(200)
    await sleep(2_000)
    await caller.hangUp()
    const record = await last()
    expect(record).to.deep.include({
      ...{ outcome: 'answered', abandoned_in: null, ended_by: 'caller', hold_seconds: 0, missed_by: [] },
      ...{ team: { id: team, title: 'Sales' }, queue: { id: team, title: 'Sales' } },
    })
    expect(record.answered_by).to.include({ kind: 'agent', name: 'Agent anna' })
    expect(record.phone_number?.number).to.equal(bench.inbound.number)
    expect(record.call_flow?.title).to.match(/^Flow /)
    expect(record.contact?.name).to.equal('Maria Miller')
    for (const part of ['wait_seconds', 'ring_seconds', 'talk_seconds'] as const)
      expect(record[part], part).to.be.within(1, 4)
    expect(await found('search=maria')).to.include(record.call_id)
    expect(await found(`outcome=answered&team_id=${team}`)).to.deep.equal([record.call_id])
    expect(await found('outcome=unanswered')).to.deep.equal([])
  })

  it('answered: the agent may leave first', async () => {
    await bench.leadsTo('connect_agent', { agent_id: anna.agent.id })
    const before = anna.phone.incoming.length
    const caller = await bench.call()
    const annas = await rung(anna, before)
    await annas.up()
    expect(await caller.answered()).to.equal(200)
    await annas.hangUp()
    expect(await last()).to.include({ outcome: 'answered', ended_by: 'callee', wait_seconds: 0 })
  })

  it('answered: what a phone holds is no talk', async () => {
    await bench.leadsTo('connect_agent', { agent_id: anna.agent.id })
    const before = anna.phone.incoming.length
    const caller = await bench.call()
    const annas = await rung(anna, before)
    await annas.up()
    expect(await caller.answered()).to.equal(200)
    // Before the bridge, the switch loses count of holds.
    await hearing(caller, anna.hz, 'Anna')
    anna.phone.renew(annas, 'sendonly')
    await sleep(2_500)
    anna.phone.renew(annas, 'sendrecv')
    await sleep(1_500)
    await caller.hangUp()
    const { hold_seconds, talk_seconds } = await last()
    expect(hold_seconds, `${hold_seconds} ${talk_seconds}`).to.be.within(2, 3)
    expect(talk_seconds).to.be.within(1, 4)
  })

  it('abandoned in a queue, also of a server that was killed meanwhile', async () => {
    await bench.leadsTo('connect_team', { team_id: team, queue: {} })
    bob.phone.onCall = 'ring'
    await givesUp()
    const early = await last()
    expect(early).to.deep.include({ outcome: 'abandoned', abandoned_in: 'queue', ended_by: 'caller' })
    expect(early.missed_by.map(({ username }) => username)).to.deep.equal(['anna', 'bob'])

    for (const { phone } of [anna, bob]) phone.onCall = 486
    const waits = await bench.call()
    expect(await waits.answered(), 'answered by the music').to.equal(200)
    const { appliance } = bench.inbound.bench
    await appliance.killServer()
    await appliance.startServer()
    await waits.hangUp()
    const late = await last()
    expect(late).to.deep.include({ outcome: 'abandoned', abandoned_in: 'queue' })
    expect(late.wait_seconds).to.be.at.least(1)
  })

  it('abandoned while a phone rang, and in a menu', async () => {
    await bench.leadsTo('connect_agent', { agent_id: anna.agent.id })
    await givesUp(1_200)
    const rang = await last()
    expect(rang).to.deep.include({ outcome: 'abandoned', abandoned_in: 'ringing', team: null })
    expect(rang.missed_by.map(({ username }) => username)).to.deep.equal(['anna'])
    expect(rang.ring_seconds).to.be.within(1, 3)

    await bench.leadsTo('ivr', { max_digits: 6 })
    const inMenu = await bench.call()
    expect(await inMenu.answered()).to.equal(200)
    await inMenu.hangUp()
    expect(await last()).to.deep.include({ outcome: 'abandoned', abandoned_in: 'menu', missed_by: [] })
  })

  it('missed, until an agent has called back', async () => {
    await bench.leadsTo('connect_agent', { agent_id: anna.agent.id, timeout: 2 })
    anna.phone.onCall = 'ring'
    const caller = await bench.call()
    await caller.over()
    const record = await last()
    expect(record).to.include({ outcome: 'missed', talk_seconds: 0, answered_by: null })
    expect(record.missed_by.map(({ username }) => username)).to.deep.equal(['anna'])
    expect(await found('outcome=unanswered')).to.include(record.call_id)
    const missedOf = async ({ api }: SignedInWorker, query = '') =>
      (await api.get(`/call-center/missed-calls?limit=50${query}`)).body.data as Missed[]
    const isIn = (list: Missed[]) => list.some(({ call_id }) => call_id === record.call_id)
    expect(isIn(await missedOf(bob)), 'of another agent').to.equal(false)
    const [mine] = await missedOf(anna)
    expect(mine).to.deep.include({
      ...{ call_id: record.call_id, side: 'incoming', is_missed: true, handled_at: null, handled_by: null },
      far_party: { number: callerNumber, name: 'Maria Miller' },
    })
    const path = `/call-center/missed-calls/${record.call_id}/handled`
    expect((await bob.api.put(path)).status).to.equal(404)
    expect((await anna.api.put(path)).body.handled_by.username).to.equal('anna')
    expect(isIn(await missedOf(anna)), 'once it is handled').to.equal(false)
    expect((await anna.api.delete(path)).body.handled_by).to.equal(null)

    anna.phone.onCall = 'answer'
    const before = anna.phone.incoming.length
    const stream = await EventReader.open(anna.api)
    const again = await bench.call()
    await (await rung(anna, before)).up()
    expect(await again.answered()).to.equal(200)
    await hearing(again, anna.hz, 'Anna')
    await again.hangUp()
    await last()
    await eventually(
      async () => stream.events.filter(({ event }) => event === 'waiting.changed').map(({ data }) => data),
      (changes) =>
        changes.some(({ changed, call_id }) => changed === 'missed_calls' && call_id === record.call_id),
      { what: 'word of the call back' },
    )
    stream.close()
    expect(isIn(await missedOf(anna)), 'once they have talked').to.equal(false)
    const handled = (await missedOf(anna, '&state=handled')).find(({ call_id }) => call_id === record.call_id)
    expect(handled?.handled_by?.username).to.equal('anna')
  })

  it('missed still, where another caller who withholds the number has talked to an agent', async () => {
    await bench.leadsTo('connect_agent', { agent_id: anna.agent.id, timeout: 1 })
    const withheld = { username: 'anonymous', domain: 'anonymous.invalid' }
    const talk = async () => {
      const phone = await bench.inbound.caller(withheld)
      return phone.call(bench.inbound.number)
    }
    anna.phone.onCall = 'ring'
    await (await talk()).over()
    const missed = await last()
    expect(missed).to.include({ outcome: 'missed', from: 'anonymous' })
    await bench.ready(anna, bob)
    anna.phone.onCall = 'answer'
    const before = anna.phone.incoming.length
    const other = await talk()
    await (await rung(anna, before)).up()
    expect(await other.answered()).to.equal(200)
    await hearing(other, anna.hz, 'Anna')
    await other.hangUp()
    expect(await last()).to.include({ outcome: 'answered' })
    const { data } = (await anna.api.get('/call-center/missed-calls?limit=50')).body as { data: Missed[] }
    expect(data.map(({ call_id }) => call_id)).to.include(missed.call_id)
  })

  it('missed by a team without anyone who takes calls', async () => {
    const empty = await bench.phones.team('Nobody', [])
    await bench.leadsTo('connect_team', { team_id: empty })
    const caller = await bench.call()
    await caller.over()
    expect(await last()).to.deep.include({ outcome: 'missed', team: { id: empty, title: 'Nobody' } })
  })

  it('voicemail, and self-service', async () => {
    await bench.leadsTo('voicemail', { beep: false })
    const caller = await bench.call()
    expect(await caller.answered()).to.equal(200)
    await eventually(
      async () => (await bench.phones.api.get('/recordings?kind=voicemail')).body.data as unknown[],
      (list) => list.length > 0,
      { what: 'voicemail', withinMs: 15_000 },
    )
    await sleep(2_000)
    await caller.hangUp()
    const left = await last()
    expect(left.outcome).to.equal('voicemail')

    await bench.leadsTo('connect_agent', { agent_id: anna.agent.id })
    const before = anna.phone.incoming.length
    const again = await bench.call()
    await (await rung(anna, before)).up()
    expect(await again.answered()).to.equal(200)
    await hearing(again, anna.hz, 'Anna')
    await again.hangUp()
    await last()
    const { appliance } = bench.inbound.bench
    const [message] = await query(appliance, 'SELECT done_by FROM recordings WHERE call_id = ?', [
      left.call_id,
    ])
    expect(message?.done_by, 'once an agent has talked to the caller').to.equal(anna.agent.id)

    await bench.leadsTo('tts', { text: 'We are closed.' })
    const informed = await bench.call()
    await informed.over()
    expect(await last()).to.include({ outcome: 'self_service', ended_by: 'server' })
  })

  it('of calls between phones', async () => {
    await bench.phones.extension('201', anna.agent)
    const talk = bob.phone.call('201')
    expect(await talk.answered()).to.equal(200)
    await sleep(1_200)
    await talk.hangUp()
    const answered = await last()
    expect(answered).to.include({ outcome: 'answered', ended_by: 'caller' })
    expect(answered.talk_seconds).to.be.within(1, 3)

    anna.phone.onCall = 'ring'
    const before = anna.phone.incoming.length
    const given = bob.phone.call('201')
    await rung(anna, before)
    bob.phone.cancel(given)
    const missed = await last()
    expect(missed).to.deep.include({ outcome: 'abandoned', abandoned_in: 'ringing' })
    expect(missed.missed_by.map(({ username }) => username)).to.deep.equal(['anna'])
    const sideOf = async ({ api }: SignedInWorker, side = '') => {
      const { data } = (await api.get(`/call-center/calls?limit=5${side}`)).body as {
        data: { call_id: string; side: string; is_missed: boolean; far_party: { number: string } }[]
      }
      return data.find(({ call_id }) => call_id === missed.call_id)
    }
    expect(await sideOf(anna)).to.deep.include({ side: 'incoming', is_missed: true })
    expect((await sideOf(anna))?.far_party).to.deep.equal({ number: 'bob', name: 'Agent bob' })
    expect(await sideOf(bob)).to.deep.include({ side: 'outgoing', is_missed: false })
    expect((await sideOf(bob))?.far_party.number).to.equal('201')
    expect(await sideOf(anna, '&side=missed')).to.not.equal(undefined)
    expect(await sideOf(anna, '&side=outgoing')).to.equal(undefined)
  })
})
