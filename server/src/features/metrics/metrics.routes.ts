import Type from 'typebox'
import { RawAnswer, endpoint, operator } from '../../infrastructure/http/endpoint.js'
import type { Metrics } from './metrics.js'

export function metricsEndpoints({ metrics }: { metrics: Metrics }) {
  return [
    endpoint({
      method: 'GET',
      path: '/metrics',
      summary: 'Read all measurements, in the text format of Prometheus',
      description:
        '`docs/operate/monitoring.md` lists the metrics. Each request asks every part, for 3 s at most.',
      tag: 'Operator',
      auth: operator,
      response: { 200: Type.String({ contentMediaType: 'text/plain' }) },
      handler: async () => new RawAnswer(metrics.type, await metrics.text()),
    }),
  ]
}
