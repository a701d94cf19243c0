import Type from 'typebox'
import { RawAnswer, endpoint, operator } from '../http/endpoint.js'
import type { Metrics } from './metrics.js'

export function metricsEndpoints({ metrics }: { metrics: Metrics }) {
  return [
    endpoint({
      method: 'GET',
      path: '/metrics',
      summary: 'Read all measurements, in the text format of Prometheus',
      description:
        'What there is stands in `docs/operate/monitoring.md`. Every part is asked in this moment, for 3 s at most.',
      tag: 'Operator',
      auth: operator,
      response: { 200: Type.String({ contentMediaType: 'text/plain' }) },
      handler: async () => new RawAnswer(metrics.type, await metrics.text()),
    }),
  ]
}
