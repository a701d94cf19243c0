/** Spans that cannot be sent, or are not wanted. */
import { expect } from 'chai'
import { pino } from 'pino'
import { topics } from '../../src/infrastructure/observability/telemetry.js'
import { Tracing } from '../../src/infrastructure/observability/tracing.js'
import {
  currentSpan,
  detached,
  shownTrace,
  tracingContexts,
} from '../../src/infrastructure/observability/tracing-contexts.js'
import { eventually } from '../support/api-client.js'
import { OtlpReceiver } from '../support/otlp-receiver.js'

const log = pino({ level: 'silent' })
const instance = { version: '1', serverId: 'here' }
const settings = {
  otlp_endpoint: '',
  headers: [],
  sample_ratio: 1,
  callers_continued: 'false',
  shown_to_customers: 'false',
} as const

const action = (callId: string) =>
  topics.callActionEnded.publish({ callId, action: 'play', outcome: 'completed', seconds: 0.1 })

describe('tracing', () => {
  let collector: OtlpReceiver
  beforeEach(async () => (collector = await OtlpReceiver.start()))
  afterEach(async () => collector.stop())

  const start = async (changes: Partial<ConstructorParameters<typeof Tracing>[0]>) => {
    const tracing = new Tracing({ ...settings, ...changes }, instance)
    await tracing.start(log)
    return tracing
  }

  it('hears nothing while it is off', async () => {
    const tracing = await start({})
    expect(tracing.isOn).to.equal(false)
    tracingContexts.call.run({ callId: 'call_1' }, () => expect(currentSpan()).to.equal(undefined))
    expect(tracing.fieldsOf({ call: 'call_1' })).to.deep.equal({})
    await tracing.stop()
  })

  it('drops and counts what a silent collector leaves waiting, and ends within its time', async () => {
    collector.answering = null
    const tracing = await start({ otlp_endpoint: collector.endpoint })
    for (let index = 0; index < 20_000; index++) action(`call_${index}`)
    expect(tracing.counts.dropped).to.be.within(20_000 - 2 * 8_192, 20_000 - 8_192)
    const begun = performance.now()
    await tracing.stop()
    expect(performance.now() - begun).to.be.lessThan(8_000)
    action('call_1')
    expect(tracing.counts.exported).to.equal(0)
  })

  it('sends what waits when it ends', async () => {
    const tracing = await start({ otlp_endpoint: `${collector.endpoint}/` })
    for (let index = 0; index < 1_000; index++) action(`call_${index}`)
    await tracing.stop()
    expect(collector.spans).to.have.length(1_000)
    expect(tracing.counts).to.deep.equal({ exported: 1_000, failed: 0, dropped: 0 })
  })

  it('takes whole traces by their ids, at every server the same', async () => {
    const tracing = await start({ otlp_endpoint: collector.endpoint, sample_ratio: 0.5 })
    for (const _ of [1, 2]) for (let index = 0; index < 400; index++) action(`call_${index}`)
    const logged = [...Array(400).keys()].filter(
      (index) => 'trace_id' in tracing.fieldsOf({ call: `call_${index}` }),
    )
    await tracing.stop()
    const traces = new Set(collector.spans.map(({ traceId }) => traceId))
    expect(traces.size).to.be.within(120, 280).and.equal(logged.length)
    expect(collector.spans).to.have.length(2 * traces.size)
  })

  const request = {
    method: 'GET',
    route: '/calls',
    status: 200,
    requestId: 'r',
    workspaceId: null,
    seconds: 0,
  }
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const spanId = '00f067aa0ba902b7'

  it('makes a trace of its own of each request, which links to that of who asks', async () => {
    const tracing = await start({ otlp_endpoint: collector.endpoint, sample_ratio: 0.5 })
    for (let index = 0; index < 400; index++)
      tracingContexts.request.run({ traceparent: `00-${traceId}-${spanId}-01` }, () =>
        topics.request.publish(request),
      )
    await tracing.stop()
    // The one id that is named would have all of them made, or none.
    expect(collector.spans.length).to.be.within(120, 280)
    expect(new Set(collector.spans.map((span) => span.traceId)).size).to.equal(collector.spans.length)
    expect(collector.of(traceId)).to.deep.equal([])
    const [span] = collector.spans
    expect(span?.parentSpanId).to.equal(undefined)
    expect(span?.links).to.deep.equal([{ traceId, spanId }])
  })

  it('counts what serves many as nobody’s work, and a line of the log as its call’s', async () => {
    const tracing = await start({ otlp_endpoint: collector.endpoint })
    tracingContexts.call.run({ callId: 'call_1' }, () => {
      const spot = currentSpan()
      expect(spot).not.to.equal(undefined)
      expect(detached(() => currentSpan())).to.equal(undefined)
      expect(currentSpan()).to.equal(spot)
      const ofOther = tracingContexts.call.run({ callId: 'call_2' }, () => currentSpan())
      expect(tracing.fieldsOf({ call: 'call_2' })).to.deep.equal({
        ...{ trace_id: ofOther!.traceId, span_id: ofOther!.spanId },
      })
      expect(tracing.fieldsOf({})).to.include({ trace_id: spot!.traceId })
    })
    await tracing.stop()
  })

  it('goes on with the trace of who asks where it is told to, and with none where the header is broken', async () => {
    const tracing = await start({ otlp_endpoint: collector.endpoint, callers_continued: 'true' })
    const spots = [`00-${traceId}-${spanId}-00`, 'ff-1-2-3', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`].map(
      (traceparent) => tracingContexts.request.run({ traceparent }, () => currentSpan()?.traceId),
    )
    expect(spots[0]).to.equal(traceId)
    for (const made of spots.slice(1))
      expect(made)
        .to.match(/^(?!0{32})[0-9a-f]{32}$/)
        .and.not.equal(traceId)
    await tracing.stop()
  })

  it('shows customers nothing unless it is told to, and lets go of what is over', async () => {
    const tracing = await start({ otlp_endpoint: collector.endpoint })
    const late = await tracingContexts.callback.run(
      { callId: 'call_1', workspaceId: 'acme', event: 'x' },
      async () => {
        expect(shownTrace()).to.deep.equal({})
        topics.callback.publish({ responseStatus: null, error: 'timeout' })
        return Promise.resolve(currentSpan())
      },
    )
    expect(late).to.equal(undefined)
    await tracing.stop()
    const span = await eventually(async () => collector.spans[0], Boolean)
    expect(span).to.include({ name: 'callback', kind: 3, status: 2 })
  })
})
