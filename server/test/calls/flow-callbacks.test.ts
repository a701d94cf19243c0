/** Flows that ask a customer's own server, which answers well, badly or not at all: the call always goes on. */
import { expect } from 'chai'
import { callbackDeadlineMs } from '../../src/callbacks/callback-client.js'
import { eventually } from '../support/api-client.js'
import { multipart, wavFile } from '../support/audio-files.js'
import { CustomerServer, answering, misbehaviours, writing } from '../support/customer-server.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { InboundBench, type TestNode } from '../support/inbound-bench.js'
import { type PhoneDialog, hears } from '../support/telephone.js'

type Behaviour = Parameters<CustomerServer['on']>[1]

/** What a caller hears of each branch. */
const tones = { found: 500, completed: 600, not_found: 700, error: 1200 }

const caller = (index: number) => `+1212555${String(1000 + index)}`

describe('callbacks of flows on the freeswitch', function () {
  this.timeout(90_000)
  let bench: InboundBench
  /** 127.0.0.2 stands for the Internet, 127.0.0.1 for what must not be reached. */
  let server: CustomerServer
  let hidden: CustomerServer
  let calls = 0
  const audios: Record<string, string> = {}

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    server = await CustomerServer.start('127.0.0.2')
    hidden = await CustomerServer.start()
    const settings = { JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.2/32' }
    bench = await InboundBench.start({ settings })
    for (const [branch, hz] of Object.entries(tones)) {
      const file = { name: 'tone.wav', content: wavFile(hz, 2) }
      const raw = multipart({ title: branch }, file)
      const { body } = await bench.api.request('POST', '/audios', { raw })
      audios[branch] = body.id
    }
  })
  after(async () => {
    await bench?.stop()
    await Promise.all([server?.stop(), hidden?.stop()])
  })

  /** A node that plays the tone of a branch. */
  const sounds = (branch: keyof typeof tones): TestNode => ({
    ...{ id: `on_${branch}`, type: 'play', params: { audio_id: audios[branch] } },
  })
  const edges = (...branches: (keyof typeof tones)[]) =>
    Object.fromEntries(branches.map((branch) => [branch, `on_${branch}`]))
  const lookup = (url?: string): TestNode[] => [
    { id: 'ask', type: 'contact_lookup', params: { url }, next: edges('found', 'not_found', 'error') },
    ...[sounds('found'), sounds('not_found'), sounds('error')],
  ]
  const jca = (url: string): TestNode[] => [
    { id: 'ask', type: 'json_call_action', params: { url }, next: edges('completed', 'error') },
    ...[sounds('completed'), sounds('error')],
  ]

  /** Calls the number while it runs a flow; other calls may run at the same time. */
  async function calling(nodes: TestNode[]): Promise<{ dialog: PhoneDialog; from: string }> {
    const from = caller(++calls)
    await bench.runs(nodes)
    const phone = await bench.caller({ username: from })
    const dialog = phone.call(bench.number)
    await dialog.heard(180)
    return { dialog, from }
  }

  const callOf = async (from: string): Promise<string> => {
    const search = encodeURIComponent(from.slice(1))
    const { body } = await bench.api.get(`/calls?search=${search}`)
    return body.data[0].call_id
  }

  async function over(from: string) {
    const id = await callOf(from)
    await bench.bench.ended(id)
    const timeline = await bench.timeline(id)
    const callbacks = timeline.filter(({ event }) => event === 'call.callback')
    return { id, timeline, path: await bench.path(id), callbacks: callbacks.map(({ details }) => details!) }
  }

  const hearing = async (dialog: PhoneDialog, hz: number) =>
    eventually(
      async () => hears(dialog, hz, 2_000),
      (level) => level > 0.5,
      { withinMs: 20_000, what: `${hz} Hz` },
    )

  it('go on by the branch of errors, in time, whatever the server does', async () => {
    const redirects: Behaviour = (_, response) =>
      response.writeHead(307, { location: hidden.url('/secret') }).end()
    const anyNode: Record<string, [string, Behaviour]> = {
      hangs: ['timeout', misbehaviours.hangs],
      drips: ['timeout', misbehaviours.drips],
      fails: ['status', answering({ name: 'Zoe', actions: [] }, 500)],
      'writes 10 MB': ['too_long', misbehaviours.endless],
      'writes no JSON': ['not_json', writing('{"name":"Zoe"')],
      'writes a list': ['not_object', answering([{ name: 'Zoe' }])],
      resets: ['network', misbehaviours.resets],
      redirects: ['refused', redirects],
    }
    const tts = (text: unknown) => ({ action: 'tts', params: { text } })
    const wrongActions: Record<string, [unknown, string]> = {
      none: [{}, 'actions is required'],
      text: [{ actions: 'tts' }, 'actions must be of type array'],
      unknown: [{ actions: [tts('Hello'), { action: 'dance' }] }, 'actions.1.action must be one of'],
      wrong: [{ actions: [tts(1)] }, 'actions.0.params.text must be of type string'],
      long: [{ actions: [tts('x'.repeat(1_001))] }, 'actions.0.params.text must NOT have more than 1000'],
      many: [{ actions: Array(101).fill(tts('x')) }, 'actions must NOT have more than 100'],
      foreign: [{ actions: [{ action: 'play', params: { audio_id: 'au_x' } }] }, 'audio of this workspace'],
      odd: [{ actions: [{ ...tts('Hello'), '\ud800': 1 }] }, 'is not a known field'],
    }
    const expected = new Map<string, { kind: string; what: string; error: string; message: string }>()
    const dialogs: PhoneDialog[] = []
    const place = async (
      nodes: TestNode[],
      is: { kind: string; what: string; error: string; message: string },
    ) => {
      const { dialog, from } = await calling(nodes)
      dialogs.push(dialog)
      expected.set(from, is)
    }
    for (const [what, [error, behaviour]] of Object.entries(anyNode)) {
      const url = server.on(`/${encodeURIComponent(what)}`, behaviour)
      await place(lookup(url), { kind: 'contact_lookup', what, error, message: '' })
      await place(jca(url), { kind: 'json_call_action', what, error, message: '' })
    }
    for (const [what, [answer, message]] of Object.entries(wrongActions)) {
      const url = server.on(`/${what}`, answering(answer))
      await place(jca(url), { kind: 'json_call_action', what, error: 'invalid', message })
    }
    await Promise.all(dialogs.map(async (dialog) => hearing(dialog, tones.error)))
    for (const [from, { kind, what, error, message }] of expected) {
      const { path, callbacks } = await over(from)
      const told = `${kind} where the server ${what}`
      expect(path, told).to.deep.equal(['ask:error', 'on_error:completed'])
      expect(callbacks, told).to.have.length(1)
      expect(callbacks[0], told).to.include({ kind, node_id: 'ask', error })
      expect(callbacks[0]!['message'], told).to.include(message)
      expect(callbacks[0]!['request'], told).to.include(`"caller_number":"${from}"`)
      expect(callbacks[0]!['duration_ms'], told).to.be.below(callbackDeadlineMs + 2_000)
    }
    expect(hidden.asked, 'what must not be reached').to.deep.equal([])
  })
})
