/** Calls that apps make, of agents and of customers' users, on a real FreeSWITCH; and calls that they reject. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { billed } from '../support/billed.js'
import { clientToken } from '../api/fixtures.js'
import { query } from '../api/database.js'
import { type ApiClient, type Answer, eventually } from '../support/api-client.js'
import { type CallRecord, feePerMinute } from '../support/call-bench.js'
import { EventReader } from '../support/event-reader.js'
import { findFreeswitch } from '../support/freeswitch.js'
import type { PhoneDialog } from '../support/phone-dialog.js'
import { header } from '../support/sip-message.js'
import { SilentApp, SilentClient } from '../support/silent-app.js'
import { TeamBench } from '../support/team-bench.js'
import type { Telephone } from '../support/telephone.js'

interface Made {
  call_id: string
  ws_url: string
  call_token: string
}

describe('calls that apps make on the freeswitch', function () {
  this.timeout(90_000)
  let bench: TeamBench
  let desk: Telephone
  let anna: SilentApp
  let late: Made

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await TeamBench.start({ settings: { JACKFIELD_CALLS_RING_TIMEOUT: '15' } })
    anna = await SilentApp.of(bench.phones.api, await bench.phones.agent('anna'))
    desk = await bench.phones.phone(await bench.phones.account('desk'), { toneHz: 900 })
    await bench.phones.extension('201', anna.agent)
    // It is given up by the end of this suite.
    late = await made({ to: 'desk' })
  })
  beforeEach(() => {
    desk.onCall = 'answer'
  })
  after(async () => {
    anna?.close()
    await bench?.stop()
  })

  const calls = () => bench.inbound.bench
  const make = async (body: object, api: ApiClient = anna.api, headers: Record<string, string> = {}) =>
    api.post('/call-center/calls/make', { type: 'audio', ...body }, headers)

  async function made(body: object, api: ApiClient = anna.api): Promise<Made> {
    const { status, body: answer } = await make(body, api)
    if (status !== 201) throw new Error(JSON.stringify(answer))
    return answer as Made
  }

  /** Makes a call; its app is there at once. */
  async function dial(
    body: object,
    api: ApiClient = anna.api,
  ): Promise<{ id: string; clientLeg: SilentClient; comeBack: () => Promise<SilentClient> }> {
    const call = await made(body, api)
    const clientLeg = await SilentClient.take(call)
    const call_token = await clientLeg.answer()
    const comeBack = async () => {
      const again = await SilentClient.take({ ...call, call_token })
      await again.answer()
      expect(await clientLeg.hears('call.ended')).to.deep.equal({ reason: 'replaced' })
      return again
    }
    return { id: call.call_id, clientLeg, comeBack }
  }

  /** The call once it and all its legs have ended. */
  async function whole(id: string): Promise<CallRecord> {
    await calls().ended(id, 40_000)
    return eventually(
      async () => calls().record(id),
      ({ legs }) => legs.every(({ ended_at }) => ended_at !== null),
      { what: 'end of all legs' },
    )
  }

  const events = async (id: string) => (await calls().timeline(id)).map(({ event }) => event)

  async function atDesk(had: number): Promise<PhoneDialog> {
    return desk.called(had)
  }

  describe('agents', () => {
    it('call a phone: it is answered by the far end, and both leave together', async () => {
      desk.onCall = 'ring'
      const had = desk.incoming.length
      const { id, clientLeg } = await dial({ to: 'desk' })
      const answer = await atDesk(had)
      expect(header({ text: answer.received[0]! }, 'From')).to.match(/Agent anna.*sip:201@/)
      await calls().reaches(id, 'ringing')
      expect((await calls().record(id)).answered_at, 'the app’s own leg is no answer').to.equal(null)
      desk.accept(answer)
      await calls().reaches(id, 'active')
      // Both are joined right behind the answer; who leaves in between takes the other along (uuid_bridge).
      await sleep(500)
      await answer.hangUp()
      expect(await clientLeg.hears('call.ended')).to.deep.equal({ reason: 'hangup' })
      const record = await whole(id)
      expect(record).to.include({ status: 'completed', from: '201', to: 'desk', direction: 'outbound' })
      expect(record).to.include({ agent_id: anna.agent.id, cost: 0, sip_code: 200 })
      expect(record.legs.map(({ role, uri }) => [role, uri.split(':')[0]])).to.deep.equal([
        ['caller', 'app'],
        ['destination', 'sip'],
      ])
      const course = (await events(id)).filter((name) => name !== 'call.action')
      expect(course).to.deep.equal(['call.created', 'call.ringing', 'call.answered', 'call.ended'])
    })

    it('call a number though what they hold for it reaches a limit of spending, and as one call of a second', async () => {
      const { operator } = calls().appliance
      const path = `/workspaces/${calls().workspace.id}`
      const { spent_this_hour } = (await operator.get(path)).body as { spent_this_hour: number }
      const max_spend_per_hour = spent_this_hour + feePerMinute / 2
      await operator.patch(path, { max_spend_per_hour, max_calls_per_second: 1 })
      await sleep(2_500) // until the server knows of it
      const { id, clientLeg } = await dial({ to: '+12025550100', from: '+12025550199' })
      await calls().reaches(id, 'active')
      clientLeg.say('call.hangup')
      expect(await whole(id)).to.include({ status: 'completed' })
      await operator.patch(path, { max_spend_per_hour: null, max_calls_per_second: null })
      await sleep(2_500)
    })

    it('call a number with one of theirs, which is paid for and recorded, also beyond a reload', async () => {
      await calls().appliance.operator.patch(`/workspaces/${calls().workspace.id}`, { call_recording: true })
      await calls().api.patch(`/phone-numbers/${calls().numberId}`, { record_outbound: true })
      const { id, comeBack } = await dial({ to: '+12025550100', from: '+12025550199' })
      await calls().reaches(id, 'active')
      const recordings = async () =>
        (await calls().api.get(`/calls/${id}/recordings`)).body.data as { status: string }[]
      const recorded = async (count: number) => {
        const all = await eventually(recordings, ({ length }) => length === count, {
          what: `${count} recordings`,
        })
        return all.map(({ status }) => status)
      }
      expect(await recorded(1)).to.deep.equal(['recording'])
      await sleep(600)
      const clientLeg = await comeBack()
      expect(await recorded(2)).to.include('recording')
      await sleep(600)
      clientLeg.say('call.hangup')
      const record = await whole(id)
      expect(record).to.include({ status: 'completed', from: '+12025550199', to: '+12025550100' })
      expect(record.cost, 'of the operator’s leg alone').to.be.closeTo(
        (billed(record) * feePerMinute) / 60,
        0.0101,
      )
      expect(record.legs.map(({ role }) => role)).to.deep.equal(['caller', 'destination', 'caller'])
      expect(await recorded(2)).not.to.include('recording')
      await calls().api.patch(`/phone-numbers/${calls().numberId}`, { record_outbound: false })
    })

    it('call other agents and teams, on whose apps it rings', async () => {
      const ben = await SilentApp.of(bench.phones.api, await bench.phones.agent('ben'))
      try {
        await bench.phones.extension('302', await bench.phones.team('Sales', [ben.agent]))
        for (const to of ['ben', '302']) {
          ben.mark()
          const { id, clientLeg } = await dial({ to, from: '' })
          const ring = await ben.rung()
          // The call's own stream is there for an app that only rings.
          const about = await EventReader.open(ben.api, { callId: id })
          expect(ring.call_id).to.equal(id)
          expect(ring.from).to.deep.equal({ number: '201', name: 'Agent anna' })
          const bens = await SilentClient.take(ring)
          await bens.answer()
          await calls().reaches(id, 'active')
          clientLeg.say('call.hangup')
          await bens.hears('call.ended')
          await about.next('call.answered')
          await about.next('call.ended')
          about.close()
          expect((await whole(id)).status).to.equal('completed')
        }
        const other = await SilentApp.of(bench.phones.api, await bench.phones.agent('otto'))
        ben.mark()
        const { id, clientLeg } = await dial({ to: 'ben' })
        await ben.rung()
        const refused = async () =>
          EventReader.open(other.api, { callId: id }).then(
            () => 'opened',
            (error: unknown) => String(error),
          )
        expect(await refused(), 'of agents who are not rung').to.include('403')
        clientLeg.say('call.hangup')
        await whole(id)
        other.close()
      } finally {
        ben.close()
      }
    })

    it('are calls with sound where they do not say what they are', async () => {
      const { status, body } = await anna.api.post('/call-center/calls/make', { to: 'desk' })
      expect(status, JSON.stringify(body)).to.equal(201)
      const clientLeg = await SilentClient.take(body as Made)
      const { sdp, is_video } = await clientLeg.hears('call.offer')
      expect(is_video).to.equal(false)
      expect(sdp).not.to.include('m=video')
      await calls().api.post(`/calls/${body.call_id}/hangup`)
      await whole(body.call_id as string)
    })

    for (const [does, status, cause, reason] of [
      [486, 'busy', 'USER_BUSY', 'busy'],
      ['ring', 'no_answer', 'NO_ANSWER', 'no answer'],
      [500, 'failed', 'NORMAL_TEMPORARY_FAILURE', 'failure'],
    ] as const) {
      it(`are told of ${reason}: the call ends with ${status}`, async () => {
        desk.onCall = does
        const { id, clientLeg } = await dial({ to: 'desk' })
        await clientLeg.hears('call.ended')
        const record = await whole(id)
        expect(record).to.include({ status, hangup_cause: cause, duration: 0, answered_at: null })
        expect(await events(id)).not.to.include('call.answered')
      })
    }

    it('give up before the answer, and the phone rings no more', async () => {
      desk.onCall = 'ring'
      const had = desk.incoming.length
      const { id, clientLeg } = await dial({ to: 'desk' })
      const answer = await atDesk(had)
      clientLeg.say('call.hangup')
      expect(await answer.over()).to.equal('CANCEL')
      expect(await whole(id)).to.include({ status: 'canceled', hangup_cause: 'ORIGINATOR_CANCEL' })
    })

    it('use no number that is shared with others only, and reach nobody who is not there', async () => {
      const other = (await calls().api.post('/teams', { name: 'Others' })).body.id as string
      const number = await calls().connectNumber('2025550198', [calls().healthyUri(1)])
      await calls().api.patch(`/phone-numbers/${number}`, { shared_teams_id: [other] })
      for (const [body, field] of [
        [{ to: '+12025550100', from: '+12025550198' }, 'from'],
        [{ to: '+12025550100', from: '+12025550111' }, 'from'],
        [{ to: '+12025550100', from: 'nonsense' }, 'from'],
        [{ to: 'nobody' }, 'to'],
        [{ to: '999' }, 'to'],
        [{ to: '' }, 'to'],
        [{ to: 'desk', type: 'fax' }, 'type'],
      ] as const) {
        const { status, body: answer } = await make(body)
        expect(status, JSON.stringify(body)).to.equal(400)
        expect(answer.errors[0].field).to.equal(field)
      }
      await calls().api.put(`/teams/${other}/agents/${anna.agent.id}`)
      expect((await make({ to: '+12025550100', from: '+12025550198' })).status).to.equal(201)
    })

    it('make one call with one Idempotency-Key, and clients with the same key another', async () => {
      const key = { 'Idempotency-Key': 'the-same' }
      const [one, two] = [
        await make({ to: 'desk' }, anna.api, key),
        await make({ to: 'desk' }, anna.api, key),
      ]
      expect(one.body.call_id).to.equal(two.body.call_id)
      const ben = await client('ben')
      const theirs = await make({ to: 'desk' }, ben, key)
      expect(theirs.status).to.equal(201)
      expect(theirs.body.call_id).not.to.equal(one.body.call_id)
      expect((await make({ to: '201' }, anna.api, key)).status).to.equal(409)
      for (const { call_id } of [one.body, theirs.body]) await calls().api.post(`/calls/${call_id}/hangup`)
      expect(await whole(one.body.call_id as string)).to.include({ status: 'canceled', duration: 0 })
    })
  })

  /** A user of a customer's app, whose calls run a flow that joins them with the desk when they dial that. */
  async function client(sub: string): Promise<ApiClient> {
    const call_flow_id = await bench.inbound.flow(
      [
        {
          ...{ id: 'who', type: 'condition', next: { true: 'to', false: 'bye' } },
          params: {
            match: 'all',
            conditions: [
              { subject: 'called_number', operator: 'equals', value: 'support' },
              { subject: 'caller_number', operator: 'equals', value: sub },
            ],
          },
        },
        { id: 'to', type: 'to_operator', params: { to: { number: 'desk' } } },
        { id: 'bye', type: 'hangup', params: { cause: 'CALL_REJECTED' } },
      ],
      'outbound',
    )
    const token = clientToken(calls().workspace, { sub, call_flow_id })
    return calls().api.with({ authorization: `Bearer ${token}` })
  }

  describe('clients', () => {
    it('run the flow of their token, which sees who calls and what they dialled, also beyond a reload', async () => {
      const had = desk.incoming.length
      const { id, comeBack } = await dial({ to: 'support' }, await client('zoe'))
      const answer = await atDesk(had)
      await answer.up()
      await calls().reaches(id, 'active')
      const clientLeg = await comeBack()
      await sleep(500)
      await answer.hangUp()
      await clientLeg.hears('call.ended')
      const record = await whole(id)
      expect(record).to.include({ status: 'completed', from: 'zoe', to: 'support', agent_id: null })
      expect(await bench.inbound.path(id)).to.deep.equal(['who:true', 'to:completed'])
    })

    it('are let go with the cause that their flow says', async () => {
      const { id, clientLeg } = await dial({ to: '+12025550100' }, await client('yan'))
      await clientLeg.hears('call.ended')
      expect(await whole(id)).to.include({
        hangup_cause: 'CALL_REJECTED',
        answered_at: null,
        to: '+12025550100',
      })
    })

    it('may not call countries that the workspace may not call', async () => {
      const path = `/workspaces/${calls().workspace.id}`
      await calls().appliance.operator.patch(path, { allowed_countries: ['CA'] })
      const refused = [
        await make({ to: '+12025550100' }),
        await make({ to: '+12025550100' }, await client('xen')),
      ]
      await calls().appliance.operator.patch(path, { allowed_countries: null })
      expect(refused.map(({ status }) => status)).to.deep.equal([403, 403])
    })
  })

  describe('when the server is killed', () => {
    it('before the app has come: it comes to the next one', async () => {
      const call = await made({ to: 'desk' })
      await calls().appliance.killServer()
      await calls().appliance.startServer()
      const clientLeg = await SilentClient.take(call)
      await clientLeg.answer()
      await calls().reaches(call.call_id, 'active')
      clientLeg.say('call.hangup')
      expect((await whole(call.call_id)).status).to.equal('completed')
    })

    it('while the far end rings: it is rung again, and the app comes back', async () => {
      desk.onCall = 'ring'
      const had = desk.incoming.length
      const call = await made({ to: 'desk' })
      const clientLeg = await SilentClient.take(call)
      const call_token = await clientLeg.answer()
      await atDesk(had)
      await calls().appliance.killServer()
      await calls().appliance.startServer()
      const again = await atDesk(had + 1)
      const back = await SilentClient.take({ ...call, call_token }, true)
      desk.accept(again)
      await calls().reaches(call.call_id, 'active')
      back.say('call.hangup')
      expect(await again.over()).to.equal('BYE')
      expect((await whole(call.call_id)).status).to.equal('completed')
    })
  })

  describe('rejecting', () => {
    // The server was away.
    before(async () => anna.listen())

    const reject = async (api: ApiClient, id: string): Promise<Answer> =>
      api.post(`/call-center/calls/${id}/reject`, { reason: 'in a meeting' })

    for (const [what, credentials] of [
      ['the call’s token', (ring: Made) => calls().api.with({ authorization: `Bearer ${ring.call_token}` })],
      ['the agent’s token', () => anna.api],
    ] as const) {
      it(`with ${what}: the caller is told 486, and the flow of busy`, async () => {
        await bench.leadsTo('connect_agent', { agent_id: anna.agent.id })
        anna.mark()
        const caller = await bench.call()
        const ring = (await anna.rung()) as Made
        const { status, body } = await reject(credentials(ring), ring.call_id)
        expect(status, JSON.stringify(body)).to.equal(200)
        expect(body).to.deep.equal({ call_id: ring.call_id, status: 'rejected' })
        expect(await caller.answered()).to.equal(486)
        const { record, outcome } = await bench.end()
        expect(record).to.include({ status: 'busy', hangup_cause: 'USER_BUSY', sip_code: 486 })
        expect(outcome).to.equal('to:busy')
        expect((await reject(anna.api, ring.call_id)).status).to.equal(404)
      })
    }
  })

  describe('whose app does not come', () => {
    it('are canceled', async () => {
      const record = await calls().ended(late.call_id, 60_000)
      expect(record).to.include({ status: 'canceled', hangup_cause: 'ORIGINATOR_CANCEL' })
      expect(record.legs).to.deep.equal([])
      const lasted = Date.parse(record.ended_at!) - Date.parse(record.created_at)
      // Servers that were started meanwhile gave it more time.
      expect(lasted).to.be.within(29_000, 120_000)
      const clientLeg = await SilentClient.take(late)
      expect(await clientLeg.hears('error')).to.include({ code: 'call_over' })
      const [row] = await query(calls().appliance, 'SELECT is_video FROM calls WHERE id = ?', [late.call_id])
      expect(row.is_video).to.equal(0)
    })
  })
})
