/** Kannel 1.4 as a carrier over HTTP, as docs/messages/http-carriers.md sets it up. */
import { expect } from 'chai'
import { newNumberWith } from '../api/carrier-fixtures.js'
import { startUnlimited, succeed } from '../api/fixtures.js'
import { client, sendText } from '../api/message-fixtures.js'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { Kannel } from '../support/kannel.js'
import { Smsc } from '../support/smsc.js'

const secret = 'kannel-shows-this-secret'
const form = 'application/x-www-form-urlencoded'

describe('Kannel as a carrier over HTTP', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let kannel: Kannel
  let smsc: Smsc
  let from: string
  /** Another number of ours, whose texts Kannel sends over SMPP. */
  let overSmpp: string

  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.0/8' })
    workspace = await appliance.workspace()
    smsc = await Smsc.start({ system_id: 'jackfield', password: 'secret', receipts: [{ after_ms: 20 }] })
    const callbacks = async () => {
      const made = {
        ...{ title: 'Kannel', kind: 'http', window_size: 10, throughput: 100 },
        settings: { url: 'http://127.0.0.1/', method: 'POST', content_type: form, body: 'to={{to}}' },
      }
      return `/carriers/${(await succeed(appliance.operator.post('/carriers', made))).id as string}`
    }
    const [one, other] = [await callbacks(), await callbacks()]
    const parameters = `token=${secret}&from=%p&to=%P&body=%a&id=%I&charset=%C`
    kannel = await Kannel.start(appliance.port, `${one}/inbound?${parameters}`, smsc)
    for (const [carrier, name] of [
      [one, 'fake'],
      [other, 'smpp'],
    ] as const) {
      const receipts = `${kannel.callbacks}${carrier}/receipts?token=${secret}&status=%d&id=`
      const settings = {
        url: kannel.url,
        method: 'GET',
        body:
          'username=trial&password=trialpass&from={{from}}&to={{to}}&text={{body}}&charset=UTF-8&coding={{encoding}}' +
          `&dlr-mask=31&dlr-url=${encodeURIComponent(receipts)}{{message_id}}&smsc=${name}`,
        encodings: { gsm7: '0', ucs2: '2' },
        ...{ inbound_auth: 'token', inbound_secret: secret },
        inbound: { charset: '/charset' },
        receipts: {
          ...{ id: '/id', status: '/status' },
          statuses: { '1': 'delivered', '2': 'undelivered', '4': 'pending', '8': 'pending', '16': 'failed' },
        },
      }
      await succeed(appliance.operator.patch(carrier, { settings }))
    }
    const numberOf = async (carrier: string) => {
      const { number } = await newNumberWith(appliance, workspace, [carrier.split('/').at(-1) ?? ''])
      return `+${number.replace('+', '')}`
    }
    from = await numberOf(one)
    overSmpp = await numberOf(other)
  })
  after(async () => {
    await kannel?.stop()
    await smsc?.stop()
    await appliance?.stop()
  })

  const become = async (id: string, status: string) =>
    eventually(
      async () => succeed(workspace.api.get(`/messages/${id}`)),
      (message) => message.status === status,
      { withinMs: 20_000, what: `${status}: ${kannel.output.slice(-2_000)}` },
    )

  /** What a line of the handset says. */
  const heard = (line: string): string => {
    const [, kind = '', text = ''] = /^\S+ \S+ (text|ucs-2|udh \S+ data) (.*)$/.exec(line) ?? []
    if (kind === 'text') return text
    const octets = Buffer.from(
      text.replaceAll('+', ' ').replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
      'latin1',
    )
    return kind === 'ucs-2' ? octets.swap16().toString('utf16le') : octets.toString()
  }

  for (const [title, body, parts] of [
    ['in GSM-7', 'Grüße & 50 % für €5', 1],
    ['in UCS-2', 'Привет 😀', 1],
    ['of several segments', 'Grüße an alle, '.repeat(14), 2],
  ] as const)
    it(`takes a text ${title}, and calls back by GET when it is delivered`, async () => {
      const had = kannel.delivered.length
      const { id } = await succeed(sendText(workspace.api, from, { body }))
      await become(id, 'delivered')
      const lines = kannel.delivered.slice(had)
      expect(lines.map(heard).join('')).to.equal(body)
      expect(lines).to.have.length(parts)
      for (const line of lines) expect(line).to.match(new RegExp(`^\\${from} \\${client} `))
    })

  /** What has come in once there are so many texts more. */
  const broughtAfter = async (count: number, work: () => Promise<unknown>): Promise<string[]> => {
    const list = async () =>
      (await succeed(workspace.api.get('/messages?direction=inbound&limit=100'))).data as any[]
    const had = (await list()).length
    await work()
    const found = await eventually(list, (messages) => messages.length >= had + count, {
      withinMs: 20_000,
      what: `texts: ${kannel.output.slice(-2_000)}`,
    })
    const brought = found.slice(0, found.length - had)
    for (const message of brought) expect(message).to.include({ from: client, to: from })
    return brought.map(({ body }) => body as string)
  }

  it('brings texts by the GET of its service or by POST, each once', async () => {
    const texts = ['Hello & goodbye', 'Grüße für 5 €', 'a+b %20 c #1?', 'posted Grüße & 5 €']
    const brought = await broughtAfter(texts.length, async () => {
      for (const text of texts) kannel.write(client, from, text)
    })
    expect(brought).to.have.members(texts)
    const inbound = kannel.requests.filter((line) => line.includes('/inbound'))
    expect(inbound.map((line) => line.split(' ')[0]).sort()).to.eql(['GET', 'GET', 'GET', 'POST'])
  })

  it('brings a STOP, whose answer it takes', async () => {
    const had = kannel.delivered.length
    kannel.write(client, from, 'Stop.')
    await eventually(
      async () => kannel.delivered.slice(had).map(heard),
      ([answer]) => answer?.includes('You have unsubscribed') === true,
      { withinMs: 20_000, what: 'the answer' },
    )
    const refused = await sendText(workspace.api, from, { body: 'Still there?' })
    expect(refused.status).to.equal(400)
  })

  it('says by GET what an SMSC behind it has said of a text', async () => {
    await smsc.behave({
      rules: [
        { to: '43$', receipts: [{ after_ms: 20, stat: 'UNDELIV', err: '027' }] },
        { to: '44$', status: 0x0b },
      ],
    })
    const body = 'Привет 😀'
    for (const [end, status, last] of [
      ['2', 'delivered', 1],
      ['3', 'undelivered', 2],
      ['4', 'undelivered', 16],
    ] as const) {
      const to = client.replace(/.$/, end)
      const { id } = await succeed(sendText(workspace.api, overSmpp, { to, body }))
      await become(id, status)
      const receipts = kannel.requests.filter((line) => line.endsWith(`id=${id}`))
      expect(receipts.at(-1)).to.include(`status=${last}&`)
    }
    expect(smsc.submits.map(({ text }) => text)).to.eql([body, body, body])
  })

  it('brings texts in UCS-2, and joins those of several parts', async () => {
    const message = { from: client, to: from, data_coding: 8 }
    const part = { by: 'udh', reference: 7, total: 2 } as const
    const brought = await broughtAfter(2, async () => {
      await smsc.deliver({ ...message, text: 'Привет 😀' })
      await smsc.deliver({ ...message, text: ' и два', part: { ...part, index: 2 } })
      await smsc.deliver({ ...message, text: 'Один 😀', part: { ...part, index: 1 } })
    })
    expect(brought).to.have.members(['Привет 😀', 'Один 😀 и два'])
  })
})
