/** Calls over several cells: spread, past dead switches, and to their ends where they began. */
import { expect } from 'chai'
import { EdgeClient } from '../../src/adapters/kamailio/edge-client.js'
import { eventually } from '../support/api-client.js'
import { SipDialog } from '../support/sip-dialog.js'
import { header } from '../support/sip-message.js'
import { SipPhone } from '../support/sip-phone.js'
import { ask, sipRequest } from './calls.js'
import { type Cell, newCell, setCell, takingCalls } from './cells.js'
import { TrunkWorld } from './trunks.js'

describe('edge: cells', function () {
  this.timeout(40_000)
  let trunk: TrunkWorld
  let carrier: SipPhone
  let one: Cell
  let two: Cell

  before(async () => {
    trunk = await TrunkWorld.start()
  })
  beforeEach(async () => {
    carrier = await trunk.open()
    one = await newCell(trunk.world, 'one', '127.0.0.91')
    two = await newCell(trunk.world, 'two', '127.0.0.92')
    await untilTaking([one, two])
  })
  afterEach(async () => {
    one.die()
    two.die()
    await trunk.world.query('DELETE FROM cells')
    await untilTaking([])
    trunk.reset()
  })
  after(async () => trunk?.stop())

  const untilTaking = async (wanted: readonly Cell[]) =>
    eventually(
      async () => (await takingCalls(trunk.world)).join(),
      (list) =>
        list ===
        wanted
          .map(({ address }) => address)
          .sort()
          .join(),
      { what: 'the list of switches', withinMs: 10_000 },
    )
  /** In any order: an ACK and what follows it are taken by two processes of the edge. */
  const untilHeard = async (cell: Cell, wanted: readonly string[]) =>
    eventually(
      async () => [...cell.heard()].sort().join(),
      (heard) => heard === [...wanted].sort().join(),
      { what: wanted.join() },
    )
  const call = async (times: number) => {
    for (let made = 0; made < times; made++) expect(await trunk.status(carrier)).to.equal(200)
  }
  const invites = (count: number) => Array.from({ length: count }, () => 'INVITE')

  it('have new calls in turn, and their dialogs to themselves', async () => {
    await call(20)
    expect([one.heard(), two.heard()]).to.deep.equal([invites(10), invites(10)])

    const answer = await trunk.call(carrier)
    const [taker, other] = one.heard().length > 10 ? [one, two] : [two, one]
    const ours = SipDialog.calling(carrier, answer)
    await ours.acknowledge()
    expect((await ours.request('INVITE')).status).to.equal(200)
    const theirs = SipDialog.called(
      taker.fabric,
      taker.fabric.requests.findLast((text) => /^INVITE /.test(text))!,
    )
    expect((await theirs.request('INFO')).status).to.equal(200)
    expect((await ours.request('BYE')).status).to.equal(200)
    await untilHeard(taker, [...invites(11), 'ACK', 'INVITE', 'ACK', 'BYE'])
    expect(other.heard()).to.deep.equal(invites(10))
  })

  it('lose no call to a switch that has died, and send it none soon after', async () => {
    one.die()
    await call(4)
    await untilTaking([two])
    const began = Date.now()
    await call(6)
    expect(Date.now() - began).to.be.below(1_400)
    expect(two.heard()).to.deep.equal(invites(10))
  })

  it('ring no longer than their callers say, also at the second switch', async () => {
    const { fabric } = two
    fabric.answerTo = (request) =>
      request.startsWith('INVITE ') ? fabric.reply(request, 180, 'Ringing') : fabric.reply(request, 200, 'OK')
    one.die()
    const to = trunk.uriOf(trunk.number.number)
    for (const callId of ['first@carrier', 'second@carrier']) {
      const lines = [`From: <${carrier.aor}>;tag=1`, `To: <${to}>`, `Call-ID: ${callId}`, 'CSeq: 1 INVITE']
      const rest = [`Contact: <${carrier.contact}>`, 'Expires: 1', 'Content-Length: 0', '', '']
      expect((await carrier.transact('INVITE', to, [...lines, ...rest], 6_000)).status).to.equal(487)
    }
  })

  it('are refused for a switch that has died while they rang, once it is said that they have ended', async () => {
    const { rpcHost, rpcPort, rpcSecret } = trunk.world.edge.options
    const client = new EdgeClient(`http://${rpcHost}:${rpcPort}/RPC`, rpcSecret)
    const callId = () => `${Math.random()}/%20"<x>@carrier`
    for (const { fabric } of [one, two]) {
      fabric.answerTo = (request) =>
        request.startsWith('INVITE ')
          ? fabric.reply(request, 180, 'Ringing')
          : fabric.reply(request, 200, 'OK')
    }
    const heard = () => [...one.heard(), ...two.heard()].filter((method) => method === 'INVITE').length
    for (let count = 1; count <= 20; count += 1) {
      const id = callId()
      const answer = trunk.call(carrier, undefined, { callId: id })
      await eventually(
        async () => heard(),
        (times) => times >= count,
        { what: 'INVITE' },
      )
      await client.callEnded(id)
      expect((await answer).status).to.equal(503)
    }
    // What was answered goes on, and what nobody knows is none.
    for (const { fabric } of [one, two]) fabric.answerTo = (request) => fabric.reply(request, 200, 'OK')
    const id = callId()
    const ours = SipDialog.calling(carrier, await trunk.call(carrier, undefined, { callId: id }))
    await ours.acknowledge()
    await client.callEnded(id)
    await client.callEnded(callId())
    expect((await ours.request('BYE')).status).to.equal(200)
  })

  it('are told which calls were left to another, as they had not answered in time', async () => {
    one.fabric.answerTo = () => undefined
    await call(2)
    const { rpcHost, rpcPort, rpcSecret } = trunk.world.edge.options
    const client = new EdgeClient(`http://${rpcHost}:${rpcPort}/RPC`, rpcSecret)
    const sentTo = ({ fabric }: Cell) =>
      header({ text: fabric.requests.find((text) => text.startsWith('INVITE ')) ?? '' }, 'X-Edge-Sent') ?? ''
    const isGivenUp = async (cell: Cell, after: number) => {
      const sent = sentTo(cell)
      return client.hasGivenUp(sent, new Date(Number(sent.split('-')[0]) * 1000 + after))
    }
    // Of an edge whose clock is not known nothing is asked.
    expect(await isGivenUp(one, 5_000)).to.equal(false)
    client.clock.heard(Date.now())
    expect(await isGivenUp(one, 5_000)).to.equal(true)
    expect(await isGivenUp(one, 900)).to.equal(false)
    expect(await isGivenUp(two, 5_000)).to.equal(false)
  })

  for (const [what, sql] of [
    ['drains', 'is_draining = TRUE'],
    ['has no server', 'is_up = FALSE'],
    ['has not beaten for long', 'beat_at = UTC_TIMESTAMP(3) - INTERVAL 7 SECOND'],
  ] as const) {
    it(`send none to a cell that ${what}, but what belongs to its calls`, async () => {
      await call(2)
      const answer = await trunk.call(carrier)
      const [taker, other] = one.heard().length > 1 ? [one, two] : [two, one]
      await setCell(trunk.world, taker, sql)
      await untilTaking([other])
      await call(3)
      expect((await SipDialog.calling(carrier, answer).request('BYE')).status).to.equal(200)
      expect(taker.heard()).to.deep.equal(['INVITE', 'INVITE', 'BYE'])
      expect(other.heard()).to.deep.equal(invites(4))
    })
  }

  it('leave calls to the own switch where none takes any', async () => {
    await setCell(trunk.world, one, 'is_up = FALSE')
    await setCell(trunk.world, two, 'is_up = FALSE')
    await untilTaking([])
    await call(1)
    expect(trunk.arrived().text).to.match(/^INVITE /)
    expect([...one.heard(), ...two.heard()]).to.deep.equal([])
  })

  it('have a call that a full switch refuses, and not one that was begun and failed', async () => {
    const refuse = (extra: string[]) => {
      one.fabric.answerTo = (request) =>
        request.startsWith('INVITE ')
          ? one.fabric.reply(request, 503, 'Service Unavailable', { extra })
          : one.fabric.reply(request, 200, 'OK')
    }
    refuse([])
    await call(2)
    refuse(['Reason: Q.850;cause=41;text="NORMAL_TEMPORARY_FAILURE"'])
    expect([await trunk.status(carrier), await trunk.status(carrier)].sort()).to.deep.equal([200, 503])
  })

  it('may use the private listener, and no stranger', async () => {
    const { privateHost, privatePort } = trunk.world.edge.options
    const invite = (from: string) =>
      sipRequest('INVITE', 'sip:nobody@acme.sip.localhost', from, { extra: ['X-Edge-Destination: account'] })
    const status = async (from: string) =>
      (await ask(invite(from), { host: privateHost, port: privatePort }, from))?.split(' ')[1]
    expect(await status('127.0.0.92')).to.equal('480')
    expect(await status('127.0.0.93')).to.equal('403')
    await trunk.world.query('DELETE FROM cells WHERE name = ?', [two.name])
    await untilTaking([one])
    await eventually(
      async () => status('127.0.0.92'),
      (seen) => seen === '403',
      { what: 'a cell that is none any more' },
    )
  })

  it('ring phones, which hang up at the right one', async () => {
    const account = await trunk.world.account()
    const phone = await SipPhone.open(trunk.world.edge.options, account)
    try {
      expect((await phone.register()).status).to.equal(200)
      const answer = await two.fabric.request('INVITE', `sip:${account.username}@${account.domain}`, {
        to: `sip:${account.username}@${account.domain}`,
        extra: ['X-Edge-Destination: account'],
      })
      expect(answer.status).to.equal(200)
      expect((await SipDialog.called(phone, phone.requests[0] ?? '').request('BYE')).status).to.equal(200)
      await untilHeard(two, ['BYE'])
    } finally {
      phone.close()
    }
  })
})
