/** Traces, as a collector gets them over OTLP/HTTP. */
import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { carriersPath } from '../api/carrier-fixtures.js'
import { succeed } from '../api/fixtures.js'
import { eventually } from '../support/api-client.js'
import { CallBench } from '../support/call-bench.js'
import { OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.js'
import { Measurements } from '../support/prometheus.js'
import { WebhookReceiver } from '../support/webhook-receiver.js'

const sentence = { action: 'tts', params: { text: 'Thank you for calling.' } }
const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`

/** The ids of all that belongs to a call or a message (docs/operate/traces.md). */
function idsOf(id: string) {
  const hash = createHash('sha256').update(id).digest('hex')
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) }
}

describe('traces', function () {
  this.timeout(90_000)
  let collector: OtlpReceiver
  let hooks: WebhookReceiver
  let bench: CallBench

  before(async () => {
    collector = await OtlpReceiver.start()
    hooks = new WebhookReceiver()
    await hooks.start()
    bench = await CallBench.start('sandbox', {
      settings: {
        JACKFIELD_TRACES_OTLP_ENDPOINT: collector.endpoint,
        JACKFIELD_TRACES_HEADERS: 'x-key=a%2Cb',
        JACKFIELD_TRACES_CALLERS_CONTINUED: 'true',
        JACKFIELD_TRACES_SHOWN_TO_CUSTOMERS: 'true',
        JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.1/32',
        JACKFIELD_LOG_LEVEL: 'info',
      },
    })
    const events = ['call.ended', 'message.delivered']
    await succeed(bench.api.post('/webhooks', { title: 'Hook', url: hooks.url(), events }))
  })
  after(async () => {
    await bench?.stop()
    await hooks?.stop()
    await collector?.stop()
  })

  /** Waits for spans of a trace by their names. */
  const spansOf = async (traceId: string, ...names: string[]) =>
    eventually(
      async () => collector.of(traceId),
      (spans) => names.every((name) => spans.some((span) => span.name === name)),
      { what: `${names.join(', ')} in ${traceId}` },
    )
  const named = (spans: readonly ReceivedSpan[], name: string) => spans.find((span) => span.name === name)!

  it('follow a request and the call that it makes, each with its stages', async () => {
    const made = await bench.api.post(
      '/calls/make',
      { to: { number: '+12025550100' }, actions: [sentence] },
      { traceparent },
    )
    const callId = made.body.data.call_id as string
    const record = await bench.ended(callId)
    const ids = idsOf(callId)

    const ofRequest = await spansOf(caller.traceId, 'POST /calls/make', 'call begun')
    const request = named(ofRequest, 'POST /calls/make')
    expect(request).to.include({ parentSpanId: caller.spanId, kind: 2, status: 0 })
    expect(request.attributes).to.include({
      ...{ 'http.request.method': 'POST', 'http.route': '/calls/make', 'http.response.status_code': 201 },
      'jackfield.workspace.id': bench.workspace.id,
      'jackfield.request.id': made.headers['x-request-id'],
    })
    const begun = named(ofRequest, 'call begun')
    expect(begun)
      .to.include({ parentSpanId: request.spanId })
      .and.deep.include({ links: [ids] })
    const insert = named(ofRequest, 'INSERT calls')
    expect(insert).to.include({ parentSpanId: request.spanId, kind: 3 })
    expect(insert.from).to.be.within(request.from - 5, request.to)

    const stages = ['call dial', 'call ring', 'call action tts', 'call answered', 'call end']
    const ofCall = await spansOf(ids.traceId, 'call', 'webhook', ...stages)
    const call = named(ofCall, 'call')
    expect(call).to.include({ ...ids, parentSpanId: undefined, status: 0 })
    expect(call.attributes).to.deep.equal({
      ...{ 'jackfield.call.id': callId, 'jackfield.workspace.id': bench.workspace.id },
      ...{ 'jackfield.call.direction': 'outbound', 'jackfield.call.status': 'completed' },
      ...{ 'jackfield.call.duration': record.duration, 'jackfield.hangup_cause': 'NORMAL_CLEARING' },
      ...{ 'jackfield.sip_code': 200, 'jackfield.call.ended_by': 'server' },
    })
    expect(call.from).to.equal(Date.parse(record.created_at))
    for (const name of [...stages, 'webhook', 'UPDATE calls']) {
      expect(named(ofCall, name), name).to.include({ parentSpanId: call.spanId })
    }
    const [dial, ring] = [named(ofCall, 'call dial'), named(ofCall, 'call ring')]
    expect(ring.from).to.equal(dial.to)
    expect(named(ofCall, 'call begun').links).to.deep.equal([
      { traceId: caller.traceId, spanId: request.spanId },
    ])
    expect(collector.headers.at(-1)).to.include({ 'x-key': 'a,b' })
    expect(collector.resource).to.include({ 'service.name': 'jackfield' })

    const webhook = named(ofCall, 'webhook')
    expect(webhook.attributes).to.include({
      'jackfield.event': 'call.ended',
      'http.response.status_code': 204,
    })
    const hook = hooks.received.find(({ body }) => body.data.call_id === callId)!
    expect(hook.headers['traceparent']).to.equal(`00-${ids.traceId}-${webhook.spanId}-01`)
  })

  it('follow a call that is not answered to its cause', async () => {
    const callId = await bench.call('+12025550101')
    await bench.ended(callId)
    const spans = await spansOf(idsOf(callId).traceId, 'call', 'call dial')
    expect(named(spans, 'call').attributes).to.include({ 'jackfield.call.status': 'busy' })
    const tried = spans.filter(({ name }) => ['call dial', 'call ring'].includes(name)).at(-1)!
    expect(tried).to.include({ status: 2 })
    expect(tried.attributes).to.include({ 'jackfield.hangup_cause': 'USER_BUSY', 'jackfield.sip_code': 486 })
    expect(spans.some(({ name }) => name === 'call answered')).to.equal(false)
  })

  it('follow a message to its receipt', async () => {
    const { appliance, workspace, api, numberId } = bench
    const input = { title: 'Sandbox', kind: 'smpp', settings: appliance.sandboxSmpp }
    const carrier = await succeed(appliance.operator.post('/carriers', input))
    await succeed(appliance.operator.put(carriersPath(workspace, numberId), { carrier_ids: [carrier.id] }))
    const sent = await succeed(
      api.post('/messages/send', { from: '+12025550199', to: '+12025550110', body: 'A secret word' }),
    )
    const ids = idsOf(sent.id)
    const spans = await spansOf(ids.traceId, 'message', 'message accepted', 'message receipt')
    expect(named(spans, 'message')).to.include(ids)
    expect(named(spans, 'message receipt')).to.include({ parentSpanId: ids.spanId, status: 0 })
    const [request] = named(spans, 'message accepted').links
    expect(
      named(await spansOf(request!.traceId, 'POST /messages/send'), 'POST /messages/send').spanId,
    ).to.equal(request!.spanId)
  })

  it('tell no number, no name and no text, and are named in the log', async () => {
    const told = JSON.stringify(collector.spans)
    for (const word of ['2025550', 'Thank you', 'secret', 'Authorization']) expect(told).not.to.contain(word)
    const lines = bench.appliance.log
      .split('\n')
      .filter((line) => line.includes('"path":"/api/v1/calls/make"'))
    expect(lines.some((line) => line.includes(`"trace_id":"${caller.traceId}"`))).to.equal(true)
  })

  it('do not hold anything up while the collector is away, and count what is lost', async () => {
    collector.answering = 400
    const look = async () =>
      Measurements.read(String((await bench.appliance.operator.get('/metrics')).body)).value(
        'jackfield_trace_spans_total',
        { outcome: 'failed' },
      )
    await bench.ended(await bench.call('+12025550100'))
    await eventually(look, (failed) => (failed ?? 0) > 0, { what: 'failed spans' })
    collector.answering = null
    await bench.ended(await bench.call('+12025550100'))
    expect(await bench.appliance.stopServer()).to.equal(0)
  })
})
