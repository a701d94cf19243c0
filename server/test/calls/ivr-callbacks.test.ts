/** Keys that somebody presses in a call: told to the customer's server, come what may. */
import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import { callbackDeadlineMs } from '../../src/infrastructure/callbacks/callback-client.js'
import { eventually } from '../support/api-client.js'
import { multipart, wavFile } from '../support/audio-files.js'
import { CustomerServer, answering, misbehaviours, writing } from '../support/customer-server.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { InboundBench } from '../support/inbound-bench.js'
import { type PhoneDialog, hears } from '../support/phone-dialog.js'
import type { Telephone } from '../support/telephone.js'

/** What the callee hears of the action behind `ivr`, of those that the server answers, and of those put there. */
const tones = { behind: 500, answered: 700, put: 1200 }

describe('the callback of ivr on the freeswitch', function () {
  this.timeout(90_000)
  let bench: InboundBench
  /** 127.0.0.2 stands for the Internet. */
  let server: CustomerServer
  let phone: Telephone
  let secret: string
  const plays: Record<string, { action: string; params: object }> = {}

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    server = await CustomerServer.start('127.0.0.2')
    const settings = { JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.2/32' }
    bench = await InboundBench.start({ settings })
    phone = await bench.caller({ username: 'callee', host: '127.0.0.1' })
    await bench.bench.connectNumber('2025550210', [
      { uri: '127.0.0.1', port: phone.port, protocol: 'udp', priority: 1 },
    ])
    secret = (await bench.api.post('/signing-secret/rotate')).body.secret
    for (const [name, hz] of Object.entries(tones)) {
      const raw = multipart({ title: name }, { name: 'tone.wav', content: wavFile(hz, 2) })
      const { body } = await bench.api.request('POST', '/audios', { raw })
      plays[name] = { action: 'play', params: { audio_id: body.id } }
    }
  })
  after(async () => {
    await bench?.stop()
    await server?.stop()
  })

  /** Calls the phone, asks for two digits, and plays something behind. */
  async function asking(webhook_url: string): Promise<{ id: string; dialog: PhoneDialog }> {
    const before = phone.incoming.length
    const webhook_headers = { 'X-Api-Key': 'k_1' }
    const ivr = { action: 'ivr', params: { webhook_url, webhook_headers, max_digits: 2, timeout: 20 } }
    const id = await bench.bench.call('+12025550142', [ivr, plays['behind']!], {
      from: { number: '+12025550210' },
    })
    const dialog = await eventually(
      async () => phone.incoming[before],
      (called) => called?.state === 'up',
      { what: 'call that is up' },
    )
    await eventually(
      async () => (await bench.bench.record(id)).status,
      (status) => status === 'started',
    )
    return { id, dialog: dialog! }
  }

  const hearing = async (dialog: PhoneDialog, hz: number) =>
    eventually(
      async () => hears(dialog, hz, 2_000),
      (level) => level > 0.5,
      { withinMs: 20_000, what: `${hz} Hz` },
    )

  const detailsOf = async (id: string, name: string) =>
    (await bench.timeline(id)).filter(({ event }) => event === name).map(({ details }) => details!)

  const callbacksOf = async (id: string, count: number, withinMs = 20_000) =>
    eventually(
      async () => detailsOf(id, 'call.callback'),
      (found) => found.length >= count,
      { withinMs, what: `${count} callbacks` },
    )

  it('tells what was pressed, signed, and does what is answered', async () => {
    const hook = server.on('/hook', answering({}))
    const webhook = await bench.api.post('/webhooks', { url: hook, events: ['call.ivr_collected'] })
    const url = server.on('/keys', answering({ actions: [plays['answered']] }))
    const { id, dialog } = await asking(url)
    phone.press(dialog, '42')
    await hearing(dialog, tones.answered)
    await dialog.over()
    expect(hears(dialog, tones.behind, 80_000)).to.be.below(0.1)
    const [asked] = server.at('/keys')
    const workspace_id = bench.bench.workspace.id
    const pressed = { digits: '42', status: 'completed' }
    expect(asked!.body).to.deep.equal({
      event: 'call.ivr_collected',
      data: { workspace_id, call_id: id, ...pressed },
    })
    expect(asked!.headers['x-api-key']).to.equal('k_1')
    const [, t, v1] = /^t=(\d+),v1=(\w+)$/.exec(String(asked!.headers['jackfield-signature']))!
    expect(v1).to.equal(createHmac('sha256', secret).update(`${t}.${asked!.text}`).digest('hex'))
    expect(await detailsOf(id, 'call.ivr_collected')).to.deep.equal([pressed])
    const [callback] = await callbacksOf(id, 1)
    expect(callback).to.include({ kind: 'ivr', url, status: 200, error: null, request: asked!.text })
    const [told] = await eventually(
      async () => server.at('/hook'),
      (all) => all.length > 0,
    )
    expect(told!.body.event).to.equal('call.ivr_collected')
    expect(told!.body.data).to.include({ call_id: id, direction: 'outbound', ...pressed })
    await bench.api.delete(`/webhooks/${webhook.body.id}`)
  })

  it('goes on behind it when no actions are answered, or something else in their place', async () => {
    const answers = { none: {}, wrong: { actions: 'dance' } }
    for (const [path, answer] of Object.entries(answers)) {
      const { id, dialog } = await asking(server.on(`/${path}`, answering(answer)))
      phone.press(dialog, '1#')
      await hearing(dialog, tones.behind)
      await dialog.over()
      const [callback] = await callbacksOf(id, 1)
      expect(callback).to.include({ error: path === 'wrong' ? 'invalid' : null, status: 200 })
      expect(await detailsOf(id, 'call.ivr_collected')).to.deep.equal([{ digits: '1', status: 'completed' }])
    }
  })

  it('passes over answered actions that are wrong', async () => {
    const wrong = [{ action: 'dance' }, { action: 'tts', params: { text: 1 } }]
    const answered = { ...plays['answered'], id: 7, params: { ...plays['answered']!.params, loud: true } }
    const url = server.on('/some', answering({ actions: [...wrong, answered] }))
    const { id, dialog } = await asking(url)
    phone.press(dialog, '1#')
    await hearing(dialog, tones.answered)
    await dialog.over()
    const [callback] = await callbacksOf(id, 1)
    expect(callback).to.include({ error: null, status: 200 })
    expect(callback!['ignored']).to.deep.equal(['actions.2.id', 'actions.2.params.loud'])
    await bench.bench.ended(id)
    const actions = (await detailsOf(id, 'call.action')).slice(1)
    expect(actions.map(({ action, outcome }) => `${String(action)}:${String(outcome)}`)).to.deep.equal([
      ...['dance:failed', 'tts:failed', 'play:completed'],
    ])
    expect(actions[1]!['problem']).to.equal('actions.1.params.text must be of type string')
  })

  it('goes on, and tells why, whatever its server does', async () => {
    const location = 'http://127.0.0.1:8080/'
    const failures: [error: string | null, url: string][] = [
      [null, server.on('/text', writing('{"actions":['))],
      [null, server.on('/list', answering([plays['answered']]))],
      ['too_long', server.on('/endless', misbehaviours.endless)],
      ['timeout', server.on('/hangs', misbehaviours.hangs)],
      ['network', server.on('/resets', misbehaviours.resets)],
      ['refused', server.on('/away', (_, response) => response.writeHead(307, { location }).end())],
    ]
    const calls = []
    for (const [error, url] of failures) calls.push({ error, url, ...(await asking(url)) })
    // Each caller has an ear of its own at the phone.
    for (const { dialog } of calls) phone.press(dialog, '42')
    await Promise.all(calls.map(async ({ dialog }) => hearing(dialog, tones.behind)))
    for (const { error, url, id, dialog } of calls) {
      await dialog.over()
      const [callback] = await callbacksOf(id, 1)
      expect(callback, url).to.include({ kind: 'ivr', url, error })
      expect(callback!['duration_ms'], url).to.be.below(callbackDeadlineMs + 2_000)
      expect(await detailsOf(id, 'call.ivr_collected')).to.deep.equal([{ digits: '42', status: 'completed' }])
      expect(hears(dialog, tones.answered, 80_000), url).to.be.below(0.1)
    }
  })

  it('goes on when its server is down, and tells it when it is up again', async () => {
    const url = server.on('/down', answering({ actions: [plays['answered']] }, 503))
    const { id, dialog } = await asking(url)
    phone.press(dialog, '42')
    await hearing(dialog, tones.behind)
    await dialog.over()
    server.on('/down', answering({ actions: [plays['answered']] }))
    const callbacks = await callbacksOf(id, 2, 40_000)
    expect(callbacks.map(({ status, error }) => ({ status, error }))).to.deep.equal([
      { status: 503, error: 'status' },
      { status: 200, error: null },
    ])
    const [first, second] = server.at('/down')
    expect(second!.body).to.deep.equal(first!.body)
  })

  it('gives way to actions that are put in its place meanwhile', async () => {
    const url = server.on('/put', async ({ body }, response) => {
      await bench.api.put(`/calls/${body.data.call_id}/actions`, { actions: [plays['put']] })
      response.writeHead(200).end(JSON.stringify({ actions: [plays['answered']] }))
    })
    const { dialog } = await asking(url)
    phone.press(dialog, '42')
    await hearing(dialog, tones.put)
    await dialog.over()
    expect(hears(dialog, tones.answered, 80_000)).to.be.below(0.1)
  })

  it('is not lost when our server is killed before it is taken', async () => {
    const { dialog } = await asking(server.on('/killed', misbehaviours.hangs))
    phone.press(dialog, '42')
    await eventually(
      async () => server.at('/killed'),
      (asked) => asked.length === 1,
    )
    const { appliance } = bench.bench
    await appliance.killServer()
    server.on('/killed', answering({}))
    await appliance.startServer()
    const [first, second] = await eventually(
      async () => server.at('/killed'),
      (asked) => asked.length >= 2,
      { withinMs: 40_000, what: 'second attempt' },
    )
    expect(second!.body).to.deep.equal(first!.body)
    await dialog.hangUp()
  })
})
