/** Calls of phones that come to nothing, each with the answer that the phone shows; and who is no phone at all. */
import { expect } from 'chai'
import { query } from '../api/database.js'
import { eventually } from '../support/api-client.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { type Account, PhoneBench } from '../support/phone-bench.js'
import { loudness } from '../support/phone-dialog.js'
import { Telephone } from '../support/telephone.js'

describe('refused calls of phones on the freeswitch', function () {
  this.timeout(60_000)
  let phones: PhoneBench
  let alice: Telephone
  let bob: Telephone
  let aliceAccount: Account

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    phones = await PhoneBench.start()
    aliceAccount = await phones.account('alice', '12025550199')
    const bobAccount = await phones.account('bob')
    alice = await phones.phone(aliceAccount)
    bob = await phones.phone(bobAccount)
  })
  after(async () => phones?.stop())

  async function expectRefusal(phone: Telephone, dialled: string, sipCode: number, hangupCause: string) {
    const call = phone.call(dialled)
    expect(await call.answered(), dialled).to.equal(sipCode)
    const record = await phones.lastCall()
    expect(record).to.include({ sip_code: sipCode, hangup_cause: hangupCause, duration: 0, cost: 0 })
    const timeline = await phones.bench.timeline(record.call_id)
    expect(timeline.map(({ event, sip_code }) => `${event} ${sip_code}`)).to.deep.equal([
      'call.created null',
      `call.ended ${sipCode}`,
    ])
    return record
  }

  for (const dialled of ['999', 'nobody', '411', '5550100', '%2B1202', 'x%27%20OR%20%271%27=%271', '*97']) {
    it(`answers 404 to ${dialled}`, async () => {
      expect((await expectRefusal(alice, dialled, 404, 'UNALLOCATED_NUMBER')).status).to.equal('failed')
    })
  }

  it('answers 403 to a phone without a caller id that calls a number', async () => {
    await expectRefusal(bob, '+12025550100', 403, 'OUTGOING_CALL_BARRED')
    expect(await phones.bench.carrier!.messages()).to.deep.equal([])
  })

  it('answers 403 when the caller id may not be used any more', async () => {
    const { api, appliance, workspace, numberId } = phones.bench
    const path = `/workspaces/${workspace.id}/phone-numbers/${numberId}`
    await appliance.operator.patch(path, { status: 'inactive' })
    await expectRefusal(alice, '+12025550100', 403, 'OUTGOING_CALL_BARRED')
    await appliance.operator.patch(path, { status: 'active' })
    await api.patch(`/phone-numbers/${numberId}`, { enable_outbound: false })
    await expectRefusal(alice, '+12025550100', 403, 'OUTGOING_CALL_BARRED')
    await api.patch(`/phone-numbers/${numberId}`, { enable_outbound: true })
  })

  it('answers 403 when the workspace has no credit, but lets its phones call each other', async () => {
    const { appliance, workspace } = phones.bench
    const balance = await phones.bench.balance()
    const setBalance = async (usd: number) =>
      query(appliance, 'UPDATE credit_balances SET balance = ? WHERE workspace_id = ?', [usd, workspace.id])
    await setBalance(0)
    await expectRefusal(alice, '+12025550100', 403, 'OUTGOING_CALL_BARRED')
    const call = alice.call('bob')
    expect(await call.answered()).to.equal(200)
    await call.hangUp()
    await phones.lastCall()
    await setBalance(balance)
  })

  it('answers 480 where no phone is registered', async () => {
    await phones.account('carol')
    const call = alice.call('carol')
    expect(await call.answered()).to.equal(480)
    expect(await phones.lastCall()).to.include({ status: 'no_answer', sip_code: 480 })
  })

  it('says that a voice agent is not there for which there is no provider', async () => {
    const agent = { name: 'Robot', instructions: 'Answers whatever is asked.' }
    const { id } = (await phones.api.post('/voice-agents', agent)).body as { id: string }
    const input = { title: 'Robot', extension_number: '200', destination: 'voice-agent', voice_agent_id: id }
    expect((await phones.api.post('/extensions', input)).status).to.equal(201)
    const call = alice.call('200')
    expect(await call.answered()).to.equal(200)
    await eventually(
      async () => Promise.resolve(loudness(call)),
      (loud) => loud > 300,
      { what: 'sentence' },
    )
    expect(await call.over()).to.equal('BYE')
    expect(await phones.lastCall()).to.include({ status: 'completed', to: '200' })
  })

  it('answers 480 to an extension of a team of which nobody can be reached', async () => {
    const { id } = (await phones.api.post('/teams', { name: 'Sales' })).body as { id: string }
    const input = { title: 'Sales', extension_number: '201', destination: 'team', team_id: id }
    expect((await phones.api.post('/extensions', input)).status).to.equal(201)
    const call = alice.call('201')
    expect(await call.answered()).to.equal(480)
    expect(await phones.lastCall()).to.include({ answered_at: null, sip_code: 480, cost: 0 })
  })

  it('sees no phones of another workspace', async () => {
    const other = await phones.bench.appliance.workspace()
    const account = { title: 'Strange', username: 'strange', password: 'a password of the tests' }
    expect((await other.api.post('/sip-accounts', account)).status).to.equal(201)
    await expectRefusal(alice, 'strange', 404, 'UNALLOCATED_NUMBER')
  })

  it('tells a carrier’s own refusal', async () => {
    for (const [number, sipCode, status] of [
      ['+12025550101', 486, 'busy'],
      ['+12025550103', 404, 'failed'],
      ['+12025550104', 603, 'failed'],
      ['+12025550105', 503, 'failed'],
    ] as const) {
      const call = alice.call(number)
      expect(await call.answered(), number).to.equal(sipCode)
      expect(await phones.lastCall()).to.include({ status, sip_code: sipCode, cost: 0 })
    }
  })

  describe('headers that say who calls', () => {
    const edgeHeaders = (account: string, workspace: string) => ({
      'X-Edge-Source': 'account',
      'X-Edge-Account': account,
      'X-Edge-Workspace': workspace,
    })

    it('count for nothing when a phone writes them', async () => {
      const call = bob.call('alice', edgeHeaders(aliceAccount.id, phones.bench.workspace.id))
      expect(await call.answered()).to.equal(200)
      await call.hangUp()
      const record = await phones.lastCall()
      expect(record).to.include({ from: 'bob' })
      expect(record.sip_account_id).to.not.equal(aliceAccount.id)
    })

    const callers = [
      ['from this machine, past the edge', '127.0.0.1', () => phones.bench.workspace.id],
      ['of an account and a workspace that are none', '127.0.0.2', () => 'elsewhere'],
    ] as const
    for (const [what, host, workspace] of callers) {
      it(`are refused ${what}`, async () => {
        const before = await phones.callsInAll()
        const { username, domain, id } = aliceAccount
        const server = `127.0.0.1:${phones.bench.appliance.freeswitch!.sipPort}`
        const headers = edgeHeaders(id, workspace())
        const stranger = await Telephone.open({ username, domain, host, server, headers })
        try {
          expect(await stranger.call('bob').answered()).to.equal(403)
          expect(await phones.callsInAll()).to.equal(before)
        } finally {
          await stranger.close()
        }
      })
    }
  })
})
