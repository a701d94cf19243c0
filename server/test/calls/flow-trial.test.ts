/** A trial of a flow tells the path that a call takes: the same keys, tried and pressed on a telephone. */
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { CallRecord } from '../support/call-bench.js'
import { InboundBench, type TestNode } from '../support/inbound-bench.js'
import { findFreeswitch } from '../support/freeswitch.js'

const timeout = 3

const nodes: TestNode[] = [
  {
    ...{ id: 'hours', type: 'business_hours' },
    params: {
      time_zone: 'Europe/Berlin',
      hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }],
    },
    next: { open: 'language' },
  },
  {
    ...{ id: 'language', type: 'menu', params: { text: 'One or two?', retries: 1, timeout } },
    next: { 1: 'keep', 2: 'keep', timeout: 'late', default: 'wrong' },
  },
  {
    ...{ id: 'keep', type: 'set_variable', params: { name: 'said', value: '{{digits}} {{caller_number}}' } },
    next: { default: 'first' },
  },
  {
    ...{ id: 'first', type: 'condition' },
    params: { conditions: [{ subject: 'variable.said', operator: 'starts_with', value: '1 +1212' }] },
    next: { true: 'what', false: 'second' },
  },
  {
    ...{ id: 'what', type: 'menu', params: { text: 'What?', retries: 0, timeout } },
    next: { '*': 'star', '#': 'bye', 0: 'language', default: 'wrong' },
  },
  { id: 'second', type: 'tts', params: { text: 'Two.' } },
  { id: 'star', type: 'tts', params: { text: 'Star.' }, next: { default: 'bye' } },
  { id: 'late', type: 'tts', params: { text: 'Too late.' } },
  { id: 'wrong', type: 'tts', params: { text: 'Wrong.' }, next: { default: 'bye' } },
  { id: 'bye', type: 'hangup', params: { cause: 'CALL_REJECTED' } },
]

/** What callers press, all of it as soon as they are answered. */
const presses = ['1*', '1#', '2', '91*', '99', '10102', '19', '1', '']

describe('a trial of a flow', function () {
  this.timeout(90_000)
  let bench: InboundBench

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    bench = await InboundBench.start()
  })
  after(async () => bench?.stop())

  it('tells the path that a call takes', async () => {
    const id = await bench.flow(nodes)
    await bench.takesTo(id)
    const calls = presses.map((keys, index) => ({ keys, caller_number: `+1212555011${index}` }))
    await Promise.all(
      calls.map(async ({ keys, caller_number }) => {
        const phone = await bench.caller({ username: caller_number })
        const dialog = await bench.answeredCall(phone)
        if (keys) phone.press(dialog, keys)
        await dialog.over()
      }),
    )
    for (const { keys, caller_number } of calls) {
      const { status, body } = await bench.api.post(`/call-flows/${id}/simulate`, {
        caller_number,
        keys: [keys],
      })
      expect(status).to.equal(200)
      const tried = (body.path as { node_id: string; type: string; outcome: string | null }[])
        .filter(({ type }) => type !== 'start')
        .map(({ node_id, outcome }) => `${node_id}:${outcome ?? 'completed'}`)
      const record = await callFrom(caller_number)
      expect(await bench.path(record.call_id), keys).to.deep.equal(tried)
      expect(record.hangup_cause, keys).to.equal(body.ended.cause)
    }
  })

  it('tells how a call ends that reaches nobody, answered before or not', async () => {
    const { body: agent } = await bench.api.post('/agents', {
      ...{ display_name: 'Absent', username: 'absent', password: 'a-password-of-the-tests' },
    })
    const to = { id: 'to', type: 'connect_agent', params: { agent_id: agent.id as string } }
    const hello = { id: 'hello', type: 'tts', params: { text: 'Hello.' }, next: { default: 'to' } }
    const flows = [[to], [hello, to]]
    for (const [index, nodes] of flows.entries()) {
      const id = await bench.flow(nodes)
      await bench.takesTo(id)
      const caller_number = `+1212555022${index}`
      const phone = await bench.caller({ username: caller_number })
      await phone.call(bench.number).over()
      const { hangup_cause } = await callFrom(caller_number)
      const { body } = await bench.api.post(`/call-flows/${id}/simulate`, { outcomes: { to: 'offline' } })
      expect(body.ended).to.deep.equal({ reason: 'end_of_path', cause: hangup_cause })
    }
  })

  async function callFrom(number: string): Promise<CallRecord> {
    const search = `/calls?search=${encodeURIComponent(number)}`
    const found = await eventually(
      async () => (await bench.api.get(search)).body.data as { call_id: string }[],
      (list) => list.length === 1,
      { what: `call from ${number}` },
    )
    return bench.bench.ended(found[0]!.call_id)
  }
})
