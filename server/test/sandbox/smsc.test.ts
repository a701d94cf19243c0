/** The sandbox's SMSC, as an ESME sees it that is not ours (esme.pl, which is built on Net::SMPP). */
import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { SmscServer } from '../../src/sandbox/smsc/smsc-server.js'
import { Smsc } from '../../src/sandbox/smsc/smsc.js'

const program = fileURLToPath(new URL('../../../test/sandbox/esme.pl', import.meta.url))

interface Answer {
  to: string
  status: number
  id: string | null
}
interface Delivery {
  source_addr: string
  destination_addr: string
  short_message: string
  data_coding: number
  esm_class: number
}

describe('the sandbox’s SMSC', function () {
  this.timeout(60_000)
  let server: SmscServer
  let port = 0
  beforeEach(async () => {
    server = new SmscServer(new Smsc())
    port = await server.listen('127.0.0.1', 0)
  })
  afterEach(async () => server.close())

  /** What an ESME is told that submits these messages, until it has seen so many answers and deliveries. */
  async function submitting(messages: object[], events: number, password = 'sandbox') {
    const args = [program, String(port), password, JSON.stringify(messages), String(events)]
    const { stdout } = await promisify(execFile)('perl', args)
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { bind?: number; answer?: Answer; delivery?: Delivery })
    return {
      bind: lines[0]?.bind,
      answers: lines.flatMap(({ answer }) => answer ?? []),
      deliveries: lines.flatMap(({ delivery }) => delivery ?? []),
    }
  }
  const hello = (to: string, more: object = {}) => ({ to, short_message: 'Hello', ...more })

  it('refuses a wrong password', async () => {
    expect((await submitting([], 0, 'wrong')).bind).to.equal(0x0e)
  })

  it('takes texts and says what became of them', async () => {
    const { bind, answers, deliveries } = await submitting(
      [hello('12025550110'), hello('12025550111'), hello('442071838750')],
      6,
    )
    expect(bind).to.equal(0)
    const idOf = (to: string) => answers.find((answer) => answer.to === to)?.id ?? ''
    expect(new Set(answers.map(({ id }) => id)).size).to.equal(3)
    for (const [to, stat, err] of [
      ['12025550110', 'DELIVRD', '000'],
      ['12025550111', 'UNDELIV', '027'],
      ['442071838750', 'DELIVRD', '000'],
    ] as const) {
      const receipt = deliveries.find(({ source_addr }) => source_addr === to)
      expect(receipt, to).to.include({ destination_addr: '12025550199', esm_class: 0x04 })
      expect(receipt!.short_message)
        .to.match(new RegExp(`^id:${idOf(to)} sub:001 dlvrd:00[01] submit date:\\d{10} done date:\\d{10} `))
        .and.include(` stat:${stat} err:${err} `)
    }
  })

  it('refuses what is for a wrong number, and throttles every other one where it should', async () => {
    const { answers } = await submitting(
      [hello('12025550112'), ...['1', '2', '3'].map(() => hello('12025550113', { registered_delivery: 0 }))],
      4,
    )
    expect(answers.map(({ to, status }) => [to, status])).to.deep.equal([
      ['12025550112', 0x0b],
      ['12025550113', 0x58],
      ['12025550113', 0],
      ['12025550113', 0x58],
    ])
  })

  it('answers with the same text, or with STOP', async () => {
    const udh = { short_message: '\u0005\u0000\u0003\u0007\u0002\u0001Hel', esm_class: 0x40, data_coding: 3 }
    const quietly = { registered_delivery: 0 }
    const { deliveries } = await submitting(
      [
        hello('12025550116', quietly),
        hello('12025550116', { ...udh, ...quietly }),
        hello('12025550117', quietly),
      ],
      6,
    )
    const back = { destination_addr: '12025550199', data_coding: 0, esm_class: 0 }
    expect(deliveries).to.deep.equal([
      { ...back, source_addr: '12025550116', short_message: 'Hello' },
      { ...back, source_addr: '12025550116', ...udh },
      { ...back, source_addr: '12025550117', short_message: 'STOP' },
    ])
  })

  it('keeps what it has to tell until somebody takes it', async () => {
    const { answers } = await submitting([hello('12025550116')], 1)
    expect(answers).to.have.length(1)
    const { deliveries } = await submitting([], 2)
    expect(deliveries.map(({ esm_class }) => esm_class)).to.deep.equal([0x04, 0])
  })

  it('hangs up on what is no SMPP', async () => {
    for (const bytes of [Buffer.from('GET / HTTP/1.0\r\n\r\n'), Buffer.alloc(64, 1), Buffer.alloc(64)]) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined)
      socket.write(bytes)
      await new Promise((resolve) => socket.once('close', resolve))
    }
    expect((await submitting([], 0)).bind, 'and goes on').to.equal(0)
  })

  it('takes nothing from who is not bound', async () => {
    const socket = connect(port, '127.0.0.1')
    const submit = Buffer.from('00000010000000040000000000000007', 'hex')
    socket.write(submit)
    const answer = await new Promise<Buffer>((resolve) => socket.once('data', resolve))
    expect(answer.toString('hex')).to.equal('00000010800000040000000400000007')
    socket.destroy()
  })
})
