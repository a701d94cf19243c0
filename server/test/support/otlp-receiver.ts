/** A collector: takes spans over OTLP/HTTP in JSON (opentelemetry-proto, trace/v1), and keeps them. */
import { once } from 'node:events'
import { type IncomingHttpHeaders, type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly kind: number
  /** Milliseconds since 1970. */
  readonly from: number
  readonly to: number
  readonly attributes: Readonly<Record<string, string | number>>
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  /** 2 where it failed. */
  readonly status: number
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number }
}

export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = []
  /** Of each request. */
  readonly headers: IncomingHttpHeaders[] = []
  /** What the sender is: attributes of its resource. */
  resource: Readonly<Record<string, string | number>> = {}
  /** The status that requests are answered with; null for no answer at all. */
  answering: number | null = 200

  private constructor(private readonly server: Server) {}

  static async start(): Promise<OtlpReceiver> {
    const server = createServer()
    const receiver = new OtlpReceiver(server)
    server.on('request', (request, response) => {
      void request.toArray().then((chunks: Buffer[]) => {
        if (receiver.answering === null) return
        if (request.url !== '/v1/traces' || request.method !== 'POST') {
          response.writeHead(404).end()
          return
        }
        receiver.headers.push(request.headers)
        if (receiver.answering === 200) receiver.keep(JSON.parse(Buffer.concat(chunks).toString()))
        response.writeHead(receiver.answering, { 'content-type': 'application/json' }).end('{}')
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return receiver
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  of(traceId: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId)
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }

  private keep({ resourceSpans }: { resourceSpans: any[] }): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resource = valuesOf(resource.attributes)
      for (const span of scopeSpans.flatMap(({ spans }: { spans: any[] }) => spans)) {
        this.spans.push({
          ...{ name: span.name, traceId: span.traceId, spanId: span.spanId, kind: span.kind },
          parentSpanId: span.parentSpanId || undefined,
          from: Number(BigInt(span.startTimeUnixNano) / 1000n) / 1000,
          to: Number(BigInt(span.endTimeUnixNano) / 1000n) / 1000,
          attributes: valuesOf(span.attributes),
          links: (span.links ?? []).map(({ traceId, spanId }: ReceivedSpan) => ({ traceId, spanId })),
          status: span.status?.code ?? 0,
        })
      }
    }
  }
}

function valuesOf(attributes: readonly Attribute[] = []): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  )
}
