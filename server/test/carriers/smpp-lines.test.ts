/** Binds that are made, refused, lost, and made again. */
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect } from 'chai'
import { SubmitError } from '../../src/adapters/sms/link.js'
import { SmppWorld, submitAll, text } from './smpp-fixture.js'

describe('lines to an SMSC', function () {
  this.timeout(30_000)
  let world: SmppWorld

  beforeEach(async () => {
    world = await SmppWorld.start()
  })

  afterEach(async () => world.end())

  it('bind as a transceiver, or as transmitter and receiver, and unbind when they are stopped', async () => {
    const { smsc } = world
    const link = await world.bound({ system_type: 'VMA' })
    await smsc.until('bind', () => smsc.binds.length === 1)
    expect(smsc.binds[0]).to.include({ as: 'transceiver', system_type: 'VMA', version: 0x34, status: 0 })
    await link.stop()
    await smsc.until('end of the line', () => smsc.closed.length === 1)
    expect(smsc.pdus.map(({ command }) => command)).to.include('unbind')

    const pair = await world.bound({ bind: 'transmitter_receiver' })
    await smsc.until('binds', () => smsc.binds.length === 3)
    expect(smsc.binds.slice(1).map(({ as }) => as)).to.have.members(['transmitter', 'receiver'])
    await submitAll(pair, text('over the transmitter'))
    await smsc.until('submission', () => smsc.submits.length === 1)
    const transmitter = smsc.binds.find(({ as }) => as === 'transmitter')?.line
    expect(smsc.submits.at(-1)?.line).to.equal(transmitter)
    await smsc.answerTo(
      await smsc.deliver({ from: '12025550177', to: '12025550100', text: 'over the receiver' }),
    )
    expect(world.holder.segments.map(({ body }) => body)).to.eql(['over the receiver'])
  })

  it('bind with what the carrier insists on', async () => {
    const { smsc } = world
    await smsc.behave({ system_id: 'a-system-id-of-25-letters' })
    await world.bound({
      ...{ system_id: 'a-system-id-of-25-letters', interface_version: '3.3' },
      ...{ addr_ton: 1, addr_npi: 8, address_range: '^1202555' },
    })
    expect(smsc.binds.at(-1)).to.deep.include({ version: 0x33, range: [1, 8, '^1202555'] })
  })

  it('tell why a bind is refused, and are bound once it is not any more', async () => {
    const { smsc } = world
    await smsc.behave({ password: 'another' })
    const link = world.link()
    await smsc.until('refusal', () => link.health.state === 'down')
    expect(link.health.last_error).to.equal('bind refused: ESME_RINVPASWD (0x0000000E): invalid password')
    await smsc.behave({ password: 'secret', system_id: 'another' })
    await smsc.until('refusal', () => link.health.last_error?.includes('ESME_RINVSYSID') === true)
    await smsc.behave({ system_id: 'jackfield', bind_status: 0x0d })
    await smsc.until('refusal', () => link.health.last_error?.includes('ESME_RBINDFAIL') === true)
    await smsc.behave({ bind_status: 0 })
    await smsc.until('bind', () => link.health.state === 'up')
    expect(world.holder.healths.map(({ state }) => state)).to.eql(['down', 'down', 'down', 'up'])
  })

  it('tell when there is no SMSC, and when it does not answer', async () => {
    const link = world.link({ port: 1 })
    await world.smsc.until('failure', () => link.health.state === 'down')
    expect(link.health.last_error).to.include('ECONNREFUSED')
    const error = await submitAll(link, text('nowhere to go')).catch((refusal: unknown) => refusal)
    expect(error).to.be.instanceOf(SubmitError)
    expect(error).to.include({ kind: 'temporary', code: 'not_bound' })

    await world.smsc.behave({ mute: true })
    const waiting = world.link({ response_timeout_seconds: 0.3 })
    await world.smsc.until('failure', () => waiting.health.state === 'down')
    expect(waiting.health.last_error).to.equal('the SMSC did not answer the bind in time')
  })

  it('answer enquire_link, ask themselves, and are dropped when nobody answers', async () => {
    const { smsc } = world
    const link = await world.bound({ enquire_link_seconds: 0.2, response_timeout_seconds: 0.5 })
    await smsc.enquire()
    const seen = (command: string) => smsc.pdus.filter((pdu) => pdu.command === command).length
    await smsc.until('answer', () => seen('enquire_link_resp') === 1)
    await smsc.until('questions', () => seen('enquire_link') >= 2)
    expect(link.health.state).to.equal('up')

    await smsc.behave({ mute: true })
    await smsc.until('end of the line', () => link.health.state === 'down')
    expect(link.health.last_error).to.match(/enquire_link/)
    await smsc.behave({ mute: false })
    await smsc.until('bind', () => link.health.state === 'up')
  })

  it('answer what they do not know, and let go of an SMSC that sends no PDUs', async () => {
    const { smsc } = world
    const link = await world.bound()
    const body = Buffer.from('id\0')
    await smsc.raw(pdu(0x00000003, 77, body)) // query_sm
    await smsc.until('refusal', () => smsc.pdus.some(({ command }) => command === 'generic_nack'))
    expect(smsc.pdus.find(({ command }) => command === 'generic_nack')).to.include({
      status: 3,
      sequence: 77,
    })
    // answers to nothing, and what needs no answer
    await smsc.raw(pdu(0x80000004, 4000, body) + pdu(0x80000000, 4001) + pdu(0x00000102, 4002, body))
    await submitAll(link, text('still there'))
    await smsc.raw(pdu(0x00000005, 4003, body)) // a deliver_sm that ends too early
    await smsc.until('refusal', () => smsc.pdus.some(({ command }) => command === 'deliver_sm_resp'))
    expect(smsc.pdus.find(({ command }) => command === 'deliver_sm_resp')).to.include({
      status: 0x65,
      sequence: 4003,
    })

    for (const nonsense of ['ffffffff00000004', '0000000f00000004', '00100000000000050000000000000001']) {
      const lines = smsc.closed.length
      await smsc.raw(nonsense.padEnd(40, '0'))
      await smsc.until('end of the line', () => smsc.closed.length > lines)
      await smsc.until('bind', () => link.health.state === 'up' && smsc.binds.length === lines + 2)
      expect(link.health.last_error).to.match(/a PDU of \d+ octets/)
    }
  })

  it('let go of an SMSC that asks and asks, and does not read the answers', async () => {
    const questions = Buffer.from(pdu(0x00000015, 1).repeat(4000), 'hex')
    const server = createServer((socket) => {
      const ask = (): void => {
        while (!socket.destroyed && socket.write(questions));
      }
      socket.on('error', () => undefined).on('drain', ask)
      socket.once('data', () => {
        socket.pause()
        socket.write(Buffer.from(pdu(0x80000009, 1, Buffer.from([0])), 'hex'))
        ask()
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const link = world.link({ port: (server.address() as AddressInfo).port })
    await world.smsc.until('end of the line', () => link.health.last_error !== null)
    expect(link.health.last_error).to.equal('the SMSC does not read')
    await link.stop()
    server.close()
  })

  it('that the SMSC ends wait for what it has taken', async () => {
    const { smsc } = world
    await smsc.behave({ answer_delay_ms: 300 })
    const link = await world.bound()
    const submitted = submitAll(link, text('taken before'))
    await smsc.until('submission', () => smsc.submits.length === 1)
    await smsc.unbind()
    let refusal: unknown
    while (refusal === undefined && smsc.binds.length === 1) {
      refusal = await submitAll(link, text('too late')).then(
        () => undefined,
        (error: unknown) => error,
      )
    }
    expect(refusal).to.include({ kind: 'temporary', code: 'not_bound' })
    expect(await submitted).to.eql([smsc.submits[0]?.id])
    await smsc.until('second bind', () => smsc.binds.length === 2 && link.health.state === 'up')
    expect(smsc.pdus.map(({ command }) => command)).to.include('unbind_resp')
  })

  it('that the SMSC ends or drops are made again', async () => {
    const { smsc } = world
    const link = await world.bound()
    await smsc.unbind()
    await smsc.until('second bind', () => smsc.binds.length === 2 && link.health.state === 'up')
    expect(smsc.pdus.map(({ command }) => command)).to.include('unbind_resp')
    expect(link.health.last_error).to.equal('the SMSC ended the bind')
    for (const how of ['close', 'reset'] as const) {
      const { length } = smsc.binds
      await smsc.drop(how)
      await smsc.until('bind', () => smsc.binds.length === length + 1 && link.health.state === 'up')
    }
  })

  it('that are dropped in mid-window leave just what has no answer unanswered', async () => {
    const { smsc } = world
    const link = await world.bound({ window_size: 20 })
    await smsc.behave({ drop: { after: 15, unanswered: 6 } })
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        submitAll(link, text(`number ${index}`)).then(
          ([id]) => ({ index, id, error: null }),
          (error: unknown) => ({ index, id: null, error }),
        ),
      ),
    )
    const lost = outcomes.filter(({ error }) => error !== null)
    expect(lost.map(({ index }) => index)).to.eql([9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
    for (const { error } of lost) expect(error).to.include({ kind: 'unanswered', code: 'line_lost' })
    await smsc.until('end of the line', () => smsc.closed.length === 1)
    expect(smsc.submits.filter(({ answered }) => answered).map(({ id }) => id)).to.eql(
      outcomes.filter(({ error }) => error === null).map(({ id }) => id),
    )
    await smsc.until('bind', () => link.health.state === 'up' && smsc.binds.length === 2)
    await submitAll(link, text('after it'))
  })

  it('that are dropped at random lose no answer', async () => {
    const { smsc, holder } = world
    await smsc.behave({
      receipts: [{ after_ms: [1, 50] }],
      rules: [{ chance: 0.02, status: 0x58 }],
      drop: { after: 50, unanswered: 10, random: true, times: 10 },
    })
    const link = await world.bound()
    const ids = new Map<string, string | null>()
    let next = 0
    const send = async (): Promise<void> => {
      while (next < 1500) {
        const [segment] = link.segmentsOf(text(`number ${++next}`))
        if (!segment) throw new Error('no segment')
        while (!ids.has(segment.body)) {
          await smsc.until('bind', () => link.health.state === 'up')
          const id = await link.submit(segment).catch((error: unknown) => {
            expect(error).to.be.instanceOf(SubmitError)
            return null
          })
          if (id !== null) ids.set(segment.body, id)
        }
      }
    }
    await Promise.all(Array.from({ length: 20 }, send))
    const answered = () => smsc.taken.filter((submit) => submit.answered)
    await smsc.until('drops', () => smsc.closed.length === 10 && answered().length >= 1500)
    expect(answered()).to.have.length(1500)
    for (const { text: body, id } of answered()) expect(ids.get(body)).to.equal(id)
    expect(smsc.taken.length - 1500).to.be.within(1, 100)
    const told = () => new Set(holder.receipts.map(({ carrier_message_ids: [id] }) => id))
    await smsc.until('receipts', () => told().size === smsc.taken.length)
  })

  it('give up a submission that is not answered in time, and stay', async () => {
    const { smsc } = world
    await smsc.behave({ rules: [{ to: '999$', silent: true }] })
    const link = await world.bound({ response_timeout_seconds: 0.5 })
    const [late, fine] = await Promise.allSettled([
      submitAll(link, text('late', '12025550999')),
      submitAll(link, text('fine')),
    ])
    expect(fine.status).to.equal('fulfilled')
    expect(late.status === 'rejected' ? late.reason : null).to.include({
      kind: 'unanswered',
      code: 'timeout',
    })
    expect(link.health.state).to.equal('up')
  })

  it('that are stopped let what is under way end first', async () => {
    const { smsc } = world
    await smsc.behave({ answer_delay_ms: 300 })
    const link = await world.bound()
    const submitted = submitAll(link, text('the last'))
    await smsc.until('submission', () => smsc.submits.length === 1)
    const stopped = link.stop()
    const error = await submitAll(link, text('too late')).catch((refusal: unknown) => refusal)
    expect(error).to.include({ kind: 'temporary', code: 'not_bound' })
    expect(await submitted).to.eql([smsc.submits[0]?.id])
    await stopped
  })
})

function pdu(command: number, sequence: number, body = Buffer.alloc(0)): string {
  const head = Buffer.alloc(16)
  head.writeUInt32BE(16 + body.length, 0)
  head.writeUInt32BE(command, 4)
  head.writeUInt32BE(sequence, 12)
  return Buffer.concat([head, body]).toString('hex')
}
