/** What becomes of messages, told to a customer's server: each event once, signed, and again when it was not taken. */
import { expect } from 'chai'
import { succeed } from '../api/fixtures.js'
import { isSigned } from '../../src/infrastructure/http-client/signature.js'
import { eventually } from '../support/api-client.js'
import { Smsc } from '../support/smsc.js'
import { TextBench } from '../support/text-bench.js'
import { WebhookReceiver } from '../support/webhook-receiver.js'

const events = ['sent', 'delivered', 'undelivered', 'failed', 'received'].map((name) => `message.${name}`)

describe('webhooks of messages', function () {
  this.timeout(120_000)
  const receiver = new WebhookReceiver()
  let bench: TextBench
  let smsc: Smsc
  let secret: string

  before(async () => {
    await receiver.start()
    bench = await TextBench.start({
      settings: {
        JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.1/32',
        JACKFIELD_WEBHOOKS_FIRST_RETRY: '1',
        JACKFIELD_WEBHOOKS_LONGEST_PAUSE: '1',
      },
    })
    smsc = await Smsc.start({
      receipts: [{ after_ms: 50 }, { after_ms: 150 }],
      rules: [
        { to: '001$', receipts: [{ after_ms: 50, stat: 'UNDELIV', err: '021' }] },
        { to: '002$', status: 0x0b },
      ],
    })
    await bench.up(await bench.carrier(smsc.port))
    const hook = { url: receiver.url(), events }
    secret = (await succeed(bench.workspace.api.post('/webhooks', hook))).secret
  })
  after(async () => {
    await bench?.stop()
    await smsc?.stop()
    await receiver?.stop()
  })

  /** What has been taken, in the order in which it happened. */
  const toldOf = (client: string) =>
    receiver.inOrder().filter(({ data }) => [data.from, data.to].includes(`+${client}`))

  const told = async (client: string, names: readonly string[]) =>
    eventually(
      async () => toldOf(client),
      (some) => names.every((name) => some.some(({ event }) => event === name)),
      { withinMs: 30_000, what: `${names.join(' and ')} of ${client}` },
    )

  const send = async (to: string) =>
    succeed(
      bench.workspace.api.post('/messages/send', { from: `+${bench.number}`, to: `+${to}`, body: 'Hi' }),
    )

  it('tell what is sent and delivered, or why it was not', async () => {
    const cases = [
      { to: '12125550000', names: ['message.sent', 'message.delivered'], error_code: null, cost: 0.01 },
      { to: '12125550001', names: ['message.sent', 'message.undelivered'], error_code: '021', cost: 0.01 },
      { to: '12125550002', names: ['message.failed'], error_code: '0x0000000B', cost: null },
    ]
    for (const { to, names, ...ends } of cases) {
      const { id } = await send(to)
      const all = await told(to, names)
      expect(all.map(({ event }) => event)).to.deep.equal(names)
      const data = all.at(-1)?.data
      expect(data).to.include({ id, workspace_id: bench.workspace.id, to: `+${to}`, body: 'Hi', ...ends })
      expect(await succeed(bench.workspace.api.get(`/messages/${id}`))).to.deep.include(data)
    }
  })

  it('tell what comes in', async () => {
    const ref = await smsc.deliver({ from: '13035550123', to: bench.number, text: 'Grüße' })
    expect((await smsc.answerTo(ref, 30_000)).status).to.equal(0)
    const [received] = await told('13035550123', ['message.received'])
    expect(received?.data).to.include({ from: '+13035550123', body: 'Grüße', status: 'received' })
  })

  it('come again, with the same id, while they are not taken; and all of them are signed', async () => {
    const to = '12125550005'
    const refused = new Set<string>()
    receiver.answering = ({ body }) => {
      if (body.data.to !== `+${to}` || refused.has(body.id)) return 204
      refused.add(body.id)
      return 503
    }
    await send(to)
    const counted = await eventually(
      async () => toldOf(to).map(({ id }) => id),
      (ids) => ids.length >= 4,
      { withinMs: 30_000, what: 'both events twice' },
    )
    expect(counted.toSorted()).to.deep.equal([...refused, ...refused].toSorted())
    expect(refused.size).to.equal(2)
    for (const { headers, text } of receiver.received) {
      const signature = String(headers['jackfield-signature'])
      expect(isSigned(signature, Buffer.from(text), secret, new Date())).to.equal(true)
    }
  })
})
