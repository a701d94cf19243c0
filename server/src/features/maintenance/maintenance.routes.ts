import { endpoint, operator } from '../../infrastructure/http/endpoint.js'
import type { Drain } from './drain.js'
import type { LogLevels } from './log-levels.js'
import { DrainShape, LogLevelShape, LogLevelsShape, SetLogLevel } from './maintenance.schema.js'

interface Services {
  logs: LogLevels
  drain: Drain
}

const tag = 'Operator'

export function maintenanceEndpoints({ logs, drain }: Services) {
  return [
    endpoint({
      method: 'GET',
      path: '/operator/log-level',
      summary: 'Show how much each part logs',
      ...{ tag, auth: operator },
      response: { 200: LogLevelsShape },
      handler: () => ({ data: logs.list() }),
    }),
    endpoint({
      method: 'PUT',
      path: '/operator/log-level',
      summary: 'Have a part log more or less, while it runs',
      description:
        'A part that is down is set when it is back. A server logs at the level for work that begins from then on.',
      ...{ tag, auth: operator },
      body: SetLogLevel,
      response: { 200: LogLevelShape },
      handler: async ({ body }) => logs.set(body.part, body.level, body.minutes ?? null),
    }),
    endpoint({
      method: 'GET',
      path: '/operator/drain',
      summary: 'Show whether calls may begin, and how many live',
      ...{ tag, auth: operator },
      response: { 200: DrainShape },
      handler: async () => drain.look(),
    }),
    endpoint({
      method: 'PUT',
      path: '/operator/drain',
      summary: 'Take no new calls: those that live go on to their end',
      description:
        'Phones, carriers and the API are answered 503 with Retry-After. It holds until it is ended, also over restarts.',
      ...{ tag, auth: operator },
      response: { 200: DrainShape },
      handler: async () => drain.set(true),
    }),
    endpoint({
      method: 'DELETE',
      path: '/operator/drain',
      summary: 'Take calls again',
      ...{ tag, auth: operator },
      response: { 200: DrainShape },
      handler: async () => drain.set(false),
    }),
  ]
}
