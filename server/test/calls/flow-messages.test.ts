/** Texts that flows send. */
import { expect } from 'chai'
import { enableTexts } from '../api/message-fixtures.js'
import { succeed } from '../api/fixtures.js'
import { eventually } from '../support/api-client.js'
import { realestSwitch } from '../support/appliance.js'
import { callIn } from '../support/caller-in.js'
import { InboundBench, type TestNode } from '../support/inbound-bench.js'

for (const kind of [await realestSwitch()]) {
  describe(`messages of flows on the ${kind}`, function () {
    this.timeout(60_000)
    let bench: InboundBench
    const caller = '+12125550123'

    before(async () => {
      bench = await InboundBench.start({}, kind)
      const { workspace, numberId } = bench.bench
      await enableTexts(workspace, numberId)
    })
    after(async () => bench?.stop())

    const bye: TestNode = { id: 'bye', type: 'hangup', params: { cause: 'USER_BUSY' } }
    const text = (id: string, params: object, next: Record<string, string>): TestNode => ({
      ...{ id, type: 'send_message', params: { from: bench.number, body: 'Hello', ...params }, next },
    })
    const sent = async () =>
      (await succeed(bench.api.get('/messages?sort_order=asc'))).data as Record<string, unknown>[]
    const stepsOf = async (id: string) =>
      (await bench.timeline(id)).flatMap(({ event, details }) =>
        event === 'call.node' && details ? [details] : [],
      )

    /** Calls the number; returns the call's id. */
    const calledBy = async (options: Parameters<typeof callIn>[1]): Promise<string> => {
      const newest = async () => (await succeed(bench.api.get('/calls?limit=1'))).data[0]?.call_id as string
      const before = await newest()
      await callIn(bench, options)
      return eventually(newest, (id) => id !== before, { what: 'the call' })
    }

    it('go to the caller, with what the call knows, and to others', async () => {
      await bench.runs([
        text('thanks', { body: 'Thanks for calling {{called_number}}' }, { sent: 'note' }),
        text('note', { to: '+12025550177', body: '{{caller_number}} has called' }, { sent: 'bye' }),
        bye,
      ])
      const call_id = await calledBy({ from: caller })
      expect(await bench.path(call_id)).to.deep.equal(['thanks:sent', 'note:sent', 'bye:completed'])
      const [thanks, note] = await sent()
      expect(thanks).to.include({ from: bench.number, to: caller, sender_type: 'system', status: 'queued' })
      expect(thanks!['body']).to.match(/^Thanks for calling \+?12025550199$/)
      expect(note).to.include({ to: '+12025550177' })
      const steps = await stepsOf(call_id)
      expect(steps.map((step) => step['message_id'])).to.deep.equal([thanks!['id'], note!['id'], undefined])
    })

    it('are sent once in a call, however often it comes by', async () => {
      const before = (await sent()).length
      const menu = { text: 'Once more?', timeout: 1, retries: 0 }
      await bench.runs([
        text('thanks', { body: 'The way to us' }, { sent: 'more' }),
        { id: 'more', type: 'menu', params: menu, next: { 1: 'thanks', timeout: 'bye' } },
        bye,
      ])
      const call_id = await calledBy({ keys: '11', from: caller })
      expect((await bench.path(call_id)).filter((step) => step === 'thanks:sent')).to.have.length(3)
      expect(await sent()).to.have.length(before + 1)
    })

    it('take the edge failed where they cannot be sent', async () => {
      await bench.runs([text('abroad', { to: bench.number }, { failed: 'bye' }), bye])
      const call_id = await calledBy({ from: caller })
      expect(await bench.path(call_id)).to.deep.equal(['abroad:failed', 'bye:completed'])
      const [step] = await stepsOf(call_id)
      expect(step).to.include({ problem: 'to must be another number than from' })
    })

    it('go to whom an outbound call has reached', async () => {
      const flow = await bench.flow(
        [text('thanks', { body: 'Nice to talk to you' }, { sent: 'bye' }), bye],
        'outbound',
      )
      const to = { number: '+12025550100' }
      const made = await succeed(bench.api.post('/calls/make', { to, call_flow_id: flow }))
      expect(await bench.path(made.data.call_id)).to.deep.equal(['thanks:sent', 'bye:completed'])
      expect((await sent()).at(-1)).to.include({ to: to.number, body: 'Nice to talk to you' })
    })

    it('are shown by a trial as they would be, and not sent', async () => {
      const before = (await sent()).length
      const flow = await bench.flow([
        text('thanks', { body: 'You are {{caller_number}}' }, { sent: 'bye' }),
        bye,
      ])
      const trial = await succeed(bench.api.post(`/call-flows/${flow}/simulate`, { caller_number: caller }))
      expect(trial.path[1]).to.include({ outcome: 'sent' })
      expect(trial.path[1].details.body).to.equal(`You are ${caller}`)
      expect(await sent()).to.have.length(before)
    })
  })
}
