/** Texts through the whole appliance, with the sandbox as their carrier: what `docs/start/sandbox.md` says of its numbers. */
import { expect } from 'chai'
import { carriersPath } from '../api/carrier-fixtures.js'
import { newActiveNumber, startUnlimited, succeed } from '../api/fixtures.js'
import { type ApiClient, eventually } from '../support/api-client.js'
import type { Appliance } from '../support/appliance.js'

describe('texts over the sandbox', function () {
  this.timeout(120_000)
  let appliance: Appliance
  let api: ApiClient
  let number: { id: string; number: string }
  let carrier: string
  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_RATE_LIMITS_SMS: '1000000' })
    const workspace = await appliance.workspace()
    api = workspace.api
    number = await newActiveNumber(appliance, workspace)
    const input = { title: 'Sandbox', kind: 'smpp', settings: appliance.sandboxSmpp }
    carrier = (await succeed(appliance.operator.post('/carriers', input))).id
    await succeed(appliance.operator.put(carriersPath(workspace, number.id), { carrier_ids: [carrier] }))
  })
  after(async () => appliance?.stop())

  const send = async (to: string, body = 'Hello') =>
    succeed(api.post('/messages/send', { from: `+${number.number}`, to, body }))
  const message = async ({ id }: { id: string }) => succeed(api.get(`/messages/${id}`))
  const received = async (from: string) =>
    (await succeed(api.get(`/messages?direction=inbound&search=${from.slice(1)}`))).data

  it('come to the end that their number has', async () => {
    const sent = await Promise.all(
      ['+12025550110', '+12025550111', '+12025550112', '+12025550113', '+12025550114'].map(async (to) =>
        send(to),
      ),
    )
    const ends = ['delivered', 'undelivered', 'failed', 'delivered', 'sent']
    const statuses = async () => (await Promise.all(sent.map(message))).map(({ status }) => status).join()
    await eventually(statuses, (now) => now === ends.join(), { withinMs: 60_000, what: ends.join() })
    const [, undelivered, failed] = await Promise.all(sent.map(message))
    expect(undelivered).to.include({ error_code: '027' })
    expect(failed).to.include({ error_code: '0x0000000B', cost: null })
    const status = await eventually(
      async () => succeed(appliance.operator.get(`/carriers/${carrier}/status`)),
      ({ state }) => state === 'up',
    )
    expect(status).to.include({ queued: 0, submitting: 0, awaiting_receipt: 1 })
  })

  it('are answered by the number that echoes, long ones too', async () => {
    const texts = ['Grüße €', 'long '.repeat(100), '🎉'.repeat(80)]
    await Promise.all(texts.map(async (body) => send('+12025550116', body)))
    const echoes = await eventually(
      async () => received('+12025550116'),
      (all) => all.length === texts.length,
      { withinMs: 60_000, what: 'all echoes' },
    )
    expect(echoes.map(({ body }: { body: string }) => body)).to.have.members(texts)
  })

  it('are refused for the number that has answered STOP', async () => {
    await send('+12025550117')
    await eventually(
      async () => received('+12025550117'),
      (all) => all.length === 1,
      { withinMs: 60_000, what: 'the STOP' },
    )
    const refused = await api.post('/messages/send', {
      from: `+${number.number}`,
      to: '+12025550117',
      body: 'x',
    })
    expect(refused.status).to.equal(400)
    expect(refused.body.message).to.match(/has opted out/)
  })
})
