/** What carriers, callers and agents see of a server that is away for a moment, on a real FreeSWITCH. */
import { expect } from 'chai'
import { type Answer, eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import type { PhoneDialog } from '../support/phone-dialog.js'
import { SilentApp, SilentClient } from '../support/silent-app.js'
import { type SignedInWorker, TeamBench, hearing, rung } from '../support/team-bench.js'

const callerHz = 440
const reason = 'fragt nach „Ümlaut“; 50 % & mehr'

describe('a server that is away for a moment, on the freeswitch', function () {
  this.timeout(90_000)
  let bench: TeamBench
  let anna: SignedInWorker
  let ben: SignedInWorker
  let sue: SignedInWorker

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await TeamBench.start()
    anna = await bench.signedIn('anna', 600)
    ben = await bench.signedIn('ben', 900)
    sue = await bench.signedIn('sue', 1300, 'supervisor')
    await bench.phones.team('Sales', [anna.agent, ben.agent, sue.agent])
  })
  after(async () => bench?.stop())
  beforeEach(async () => {
    await bench.leadsTo('connect_agent', { agent_id: anna.agent.id })
    await bench.ready(anna, ben, sue)
  })

  const appliance = () => bench.inbound.bench.appliance
  /** Something happens while the server stands still, which is then killed. */
  const unseen = async (happens: () => Promise<unknown>) => {
    process.kill(appliance().serverPid, 'SIGSTOP')
    await happens()
    await appliance().killServer()
    await appliance().startServer()
  }
  const hearEachOther = async (caller: PhoneDialog, dialog: PhoneDialog, hz: number) => {
    await Promise.all([
      hearing(caller, hz, 'the caller hears the agent'),
      hearing(dialog, callerHz, 'the agent hears the caller'),
    ])
  }
  const begin = async () => {
    const before = anna.phone.incoming.length
    const caller = await bench.call(callerHz)
    const annas = await rung(anna, before)
    expect(await caller.answered()).to.equal(200)
    await hearEachOther(caller, annas, anna.hz)
    const id = await bench.inbound.lastCallId()
    return { id, caller, annas, path: `/call-center/calls/${id}` }
  }
  const transfersOf = async (id: string) =>
    (await bench.inbound.timeline(id))
      .filter(({ event }) => event === 'call.transfer')
      .map(({ details }) => details ?? {})
  const isOver = async (id: string, caller: PhoneDialog) => {
    await caller.hangUp()
    return bench.inbound.bench.ended(id)
  }

  it('connects an agent who has answered meanwhile', async () => {
    anna.phone.onCall = 'ring'
    const before = anna.phone.incoming.length
    const caller = await bench.call(callerHz)
    const annas = await rung(anna, before)
    await unseen(async () => {
      anna.phone.accept(annas)
      await annas.up()
    })
    expect(await caller.answered()).to.equal(200)
    await hearEachOther(caller, annas, anna.hz)
    await bench.inState(anna, 'incall')
    expect(anna.phone.incoming).to.have.length(before + 1)
    await annas.hangUp()
    await caller.over()
    const { record, outcome } = await bench.end()
    expect(outcome).to.equal('to:completed')
    expect(record.legs).to.have.length(2)
  })

  it('connects the next agent, too, whom a caller gets after another one', async () => {
    await bench.inbound.runs([
      { id: 'one', type: 'connect_agent', params: { agent_id: anna.agent.id }, next: { default: 'two' } },
      { id: 'two', type: 'connect_agent', params: { agent_id: ben.agent.id } },
    ])
    const { id, caller, annas } = await begin()
    ben.phone.onCall = 'ring'
    const before = ben.phone.incoming.length
    await annas.hangUp()
    const bens = await rung(ben, before)
    await unseen(async () => {
      ben.phone.accept(bens)
      await bens.up()
    })
    await hearEachOther(caller, bens, ben.hz)
    expect(ben.phone.incoming).to.have.length(before + 1)
    expect((await isOver(id, caller)).status).to.equal('completed')
  })

  it('knows that a talk is over when the agent has left meanwhile', async () => {
    const { id, caller, annas } = await begin()
    await unseen(async () => annas.hangUp())
    expect(await caller.over()).to.equal('BYE')
    expect((await bench.inbound.path(id)).join(' ')).to.equal('to:completed')
    const { legs } = await bench.inbound.bench.ended(id)
    expect(legs).to.have.length(2)
    expect(legs.every(({ ended_at }) => ended_at !== null)).to.equal(true)
    expect(anna.phone.incoming.at(-1)).to.equal(annas)
  })

  it('hands a call over to who has answered meanwhile', async () => {
    const { id, caller, annas, path } = await begin()
    ben.phone.onCall = 'ring'
    const before = ben.phone.incoming.length
    const { status } = await anna.api.post(`${path}/transfer`, { target_username: 'ben', reason })
    expect(status).to.equal(200)
    const bens = await rung(ben, before)
    await unseen(async () => {
      ben.phone.accept(bens)
      await bens.up()
    })
    await hearEachOther(caller, bens, ben.hz)
    expect(await annas.over()).to.equal('BYE')
    expect(ben.phone.incoming).to.have.length(before + 1)
    await eventually(
      async () => (await transfersOf(id)).at(-1),
      (last) => last?.['status'] === 'completed' && last['reason'] === reason,
      { what: 'completed transfer with its reason' },
    )
    await isOver(id, caller)
  })

  it('rings the target of a transfer again, who is told the reason', async () => {
    const dora = await bench.phones.agent('dora')
    const app = await SilentApp.of(bench.phones.api, dora)
    const { id, caller, path } = await begin()
    await eventually(
      async () => anna.api.post(`${path}/transfer`, { target_username: 'dora', reason }),
      ({ status }) => status === 200,
      { what: 'transfer to an app' },
    )
    await app.rung()
    await appliance().killServer()
    await appliance().startServer()
    await app.listen()
    const clientLeg = await SilentClient.take(await app.rung())
    expect(await clientLeg.hears('call.offer')).to.include({ transfer_reason: reason })
    clientLeg.say('call.hangup')
    await isOver(id, caller)
    app.close()
  })

  describe('while it does not reach the switch', () => {
    /** The link is cut, and the server has noticed. */
    const away = async (ms: number): Promise<{ back: Promise<void> }> => {
      const back = appliance().cutLink(ms)
      await eventually(
        async () => (await appliance().operator.get('/health')).status,
        (status) => status === 503,
        { what: 'lost link' },
      )
      return { back }
    }
    /** What a request comes to that is sent again where it is asked to. */
    const patiently = async (send: () => Promise<Answer>) =>
      eventually(send, ({ status }) => status !== 503, { withinMs: 30_000, what: 'answer' })

    it('has requests for live calls wait for it', async () => {
      const { id, caller, annas, path } = await begin()
      const sues = sue.phone.incoming.length
      const first = await away(1_500)
      const supervised = await patiently(async () => sue.api.post(`${path}/listen`))
      expect(supervised.status, JSON.stringify(supervised.body)).to.equal(200)
      await (await rung(sue, sues)).up()
      await first.back
      const second = await away(1_500)
      const { status, body } = await patiently(async () => bench.phones.api.post(`/calls/${id}/hangup`))
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(await annas.over()).to.equal('BYE')
      expect(await caller.over()).to.equal('BYE')
      expect((await bench.inbound.bench.ended(id)).status).to.equal('completed')
      await second.back
    })

    it('asks them to come again when that takes long', async () => {
      const { id, caller, path } = await begin()
      const { back } = await away(8_000)
      const answers = await Promise.all([
        bench.phones.api.post(`/calls/${id}/hangup`),
        anna.api.post(`${path}/transfer`, { target_username: 'ben' }),
        anna.api.post(`${path}/reject`, {}),
        sue.api.post(`${path}/listen`),
        sue.api.delete(`${path}/supervision`),
      ])
      for (const { status, headers, body } of answers) {
        expect(status, JSON.stringify(body)).to.equal(503)
        expect(headers['retry-after']).to.equal('1')
      }
      await back
      expect((await patiently(async () => anna.api.post(`${path}/reject`, {}))).status).to.equal(404)
      expect((await isOver(id, caller)).status).to.equal('completed')
    })
  })
})
