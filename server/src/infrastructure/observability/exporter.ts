/** Sends spans to a collector, and counts what became of them. Whatever the collector does, nothing here waits for it. */
import type { SpanCounts } from './span-counts.js'
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, type ReadableSpan, type SpanProcessor } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'

/** Spans that wait to be sent; what comes beyond is dropped. */
const mostWaiting = 8_192
const mostAtOnce = 512
const pauseMs = 1_000
/** For one request and its repetitions. */
const deadlineMs = 10_000
const warnedEveryMs = 60_000

interface Settings {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export class Exporter implements SpanProcessor {
  private waiting = 0
  private warnedAt = -Infinity
  private readonly otlp: OTLPTraceExporter
  private readonly batches: BatchSpanProcessor

  constructor(
    settings: Settings,
    private readonly counts: SpanCounts,
    private readonly log: Logger,
  ) {
    this.otlp = new OTLPTraceExporter({ ...settings, timeoutMillis: deadlineMs })
    this.batches = new BatchSpanProcessor({
      exporter: {
        export: (spans, done) => this.send(spans, done),
        shutdown: async () => this.otlp.shutdown(),
      },
      ...{ maxQueueSize: mostWaiting, maxExportBatchSize: mostAtOnce },
      ...{ scheduledDelayMillis: pauseMs, exportTimeoutMillis: deadlineMs + 1_000 },
    })
  }

  onStart(): void {
    // A span is of interest once it has ended.
  }

  onEnd(span: ReadableSpan): void {
    if (this.waiting >= mostWaiting) {
      this.counts.dropped++
      return
    }
    this.waiting++
    this.batches.onEnd(span)
  }

  async forceFlush(): Promise<void> {
    return this.batches.forceFlush()
  }

  /** Sends what waits, and nothing more. */
  async shutdown(): Promise<void> {
    return this.batches.shutdown()
  }

  private send(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.waiting -= spans.length
    this.otlp.export(spans, (result) => {
      const isSent = result.code === ExportResultCode.SUCCESS
      this.counts[isSent ? 'exported' : 'failed'] += spans.length
      if (!isSent) this.warn(result.error)
      done(result)
    })
  }

  private warn(error: Error | undefined): void {
    const now = performance.now()
    if (now - this.warnedAt < warnedEveryMs) return
    this.warnedAt = now
    this.log.warn({ event: 'trace.export_failed', err: error }, 'traces cannot be sent')
  }
}
