import Type from 'typebox'
import { agent, endpoint } from '../../../infrastructure/http/endpoint.js'
import type { Destinations } from './destinations.js'
import { DestinationShape, destinationQuery } from './destinations.schema.js'

export function destinationEndpoints({ destinations }: { destinations: Pick<Destinations, 'find'> }) {
  return [
    endpoint({
      method: 'GET',
      path: '/call-center/destinations',
      summary: 'Find someone to call, or to hand a call over to',
      description:
        'Agents with their states, teams, extensions, SIP accounts, contacts that the agent may read, numbers of the workspace, and the number that was typed, as people of the workspace’s country write it. Exact matches come first, then agents who are available; at most 8 of each kind.',
      tag: 'Call centre',
      auth: agent(),
      query: destinationQuery,
      response: { 200: Type.Object({ data: Type.Array(DestinationShape) }) },
      handler: async ({ workspace, actor, query }) => ({
        data: await destinations.find(workspace, actor.id, query.search ?? ''),
      }),
    }),
  ]
}
