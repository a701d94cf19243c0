import Type from 'typebox'
import { apiKey, endpoint } from '../../infrastructure/http/endpoint.js'
import { nullable } from '../../infrastructure/http/shapes.js'
import type { Overview } from './overview.js'

const dayMs = 86_400_000
const Count = Type.Integer()

const OverviewShape = Type.Object(
  {
    calls: Type.Object({
      total: Count,
      incoming: Count,
      answered: Type.Integer({ description: 'Incoming calls that a person or a voice agent answered' }),
      missed: Type.Integer({ description: 'Incoming calls that ended abandoned, missed or in voicemail' }),
      live: Type.Integer({ description: 'Calls that live now' }),
    }),
    waiting: Type.Integer({ description: 'Callers in queues now' }),
    people: Type.Object({ online: Count, total: Count }),
    messages: Type.Object({ received: Count, sent: Count }),
    credit_available: Type.Number({ description: 'USD that may be spent' }),
    setup: Type.Object(
      {
        numbers: Count,
        live_numbers: Type.Integer({ description: 'Active numbers that have a flow' }),
        agents: Count,
        teams: Count,
        flows: Count,
        flow_id: nullable(Type.String({ description: 'The flow that was made first' })),
        has_called_flow: Type.Boolean({ description: 'Whether a flow has answered a call' }),
      },
      { description: 'What the workspace has' },
    ),
  },
  { title: 'Overview' },
)

export function overviewEndpoints({ overview }: { overview: Overview }) {
  return [
    endpoint({
      method: 'GET',
      path: '/overview',
      summary: 'Show what is going on, and what is set up',
      tag: 'Workspace',
      auth: apiKey('any'),
      query: Type.Object({
        since: Type.Optional(
          Type.String({
            ...{ format: 'date-time', maxLength: 40 },
            description: 'When the day began that calls and messages are counted of; 24 hours ago by default',
          }),
        ),
      }),
      response: { 200: OverviewShape },
      handler: async ({ workspace, query: { since } }) => {
        const earliest = Date.now() - 2 * dayMs
        const asked = since === undefined ? Date.now() - dayMs : Date.parse(since)
        return overview.of(workspace, new Date(Math.max(earliest, asked)))
      },
    }),
  ]
}
