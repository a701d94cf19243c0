/** Kannel 1.4 as a carrier over HTTP, as docs/http-carriers.md sets it up. */
import { expect } from 'chai'
import { newNumberWith } from '../api/carrier-fixtures.js'
import { startUnlimited, succeed } from '../api/fixtures.js'
import { client, sendText } from '../api/message-fixtures.js'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { Kannel } from '../support/kannel.js'

const secret = 'kannel-shows-this-secret'

describe('Kannel as a carrier over HTTP', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let kannel: Kannel
  let from: string

  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.0/8' })
    workspace = await appliance.workspace()
    const made = {
      ...{ title: 'Kannel', kind: 'http', window_size: 10, throughput: 100 },
      settings: {
        url: 'http://127.0.0.1/',
        body: 'to={{to}}',
        content_type: 'application/x-www-form-urlencoded',
      },
    }
    const id = (await succeed(appliance.operator.post('/carriers', made))).id as string
    const parameters = `token=${secret}&from=%p&to=%P&body=%a&id=%I`
    kannel = await Kannel.start(appliance.port, `/carriers/${id}/inbound?${parameters}`)
    const receipts = `${kannel.callbacks}/carriers/${id}/receipts?token=${secret}&status=%d&id=`
    const settings = {
      url: kannel.url,
      method: 'GET',
      body:
        'username=trial&password=trialpass&from={{from}}&to={{to}}&text={{body}}&charset=UTF-8&coding={{encoding}}' +
        `&dlr-mask=31&dlr-url=${encodeURIComponent(receipts)}{{message_id}}`,
      encodings: { gsm7: '0', ucs2: '2' },
      ...{ inbound_auth: 'token', inbound_secret: secret },
      receipts: {
        ...{ id: '/id', status: '/status' },
        statuses: { '1': 'delivered', '2': 'undelivered', '4': 'pending', '8': 'pending', '16': 'failed' },
      },
    }
    await succeed(appliance.operator.patch(`/carriers/${id}`, { settings }))
    from = `+${(await newNumberWith(appliance, workspace, [id])).number.replace('+', '')}`
  })
  after(async () => {
    await kannel?.stop()
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

  it('brings texts by the GET of its service or by POST, each once', async () => {
    const texts = ['Hello & goodbye', 'Grüße für 5 €', 'a+b %20 c #1?', 'posted Grüße & 5 €']
    for (const text of texts) kannel.write(client, from, text)
    const found = await eventually(
      async () => (await succeed(workspace.api.get('/messages?direction=inbound&limit=100'))).data as any[],
      (messages) => messages.length >= texts.length,
      { withinMs: 20_000, what: `texts: ${kannel.output.slice(-2_000)}` },
    )
    expect(found.map(({ body }) => body)).to.have.members(texts)
    for (const message of found) expect(message).to.include({ from: client, to: from })
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
})
