import Type from 'typebox'
import { agent, endpoint } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf, pageQuery } from '../../infrastructure/http/lists.js'
import { Timestamp, idParams } from '../../infrastructure/http/shapes.js'
import type { SharedNumber } from './number-teams.js'
import { PhoneNumberShape } from './phone-number.schema.js'
import type { PhoneNumberService } from './phone-number.service.js'

const tag = 'Call centre'

const { number, country_code, dial_code, capabilities, enable_outbound, shared_teams_id } =
  PhoneNumberShape.properties

/** What agents see of a number (contract, Phone number, agent view). */
const AgentNumberShape = Type.Object(
  {
    id: Type.String(),
    ...{ number, country_code, dial_code },
    status: Type.Enum(['active']),
    ...{ capabilities, enable_outbound, shared_teams_id },
    created_at: Timestamp,
  },
  { title: 'AgentPhoneNumber' },
)

export function agentNumberEndpoints({ phoneNumbers }: { phoneNumbers: PhoneNumberService }) {
  return [
    endpoint({
      method: 'GET',
      path: '/call-center/phone-numbers',
      summary: 'List the numbers that one may use',
      description: 'Active numbers that are shared with a team of the agent, or with all.',
      tag,
      auth: agent(),
      query: Type.Object({
        ...pageQuery(20).properties,
        sort_order: Type.Enum(['asc', 'desc'], { default: 'desc' }),
      }),
      response: { 200: listOf(AgentNumberShape) },
      handler: async ({ workspace, actor, query }) =>
        listAnswer(query, await phoneNumbers.listOfAgent(workspace, actor.id, query), present),
    }),
    endpoint({
      method: 'GET',
      path: '/call-center/phone-numbers/:id',
      summary: 'Show a number that one may use',
      tag,
      auth: agent(),
      params: idParams,
      response: { 200: AgentNumberShape },
      errors: { 404: 'No such number, or not one that the agent may use' },
      handler: async ({ workspace, actor, params }) =>
        present(await phoneNumbers.getOfAgent(workspace, actor.id, params.id)),
    }),
  ]
}

function present(row: SharedNumber) {
  const { id, number, country_code, dial_code, capabilities, enable_outbound, shared_teams_id } = row
  return {
    ...{ id, number, country_code, dial_code, status: 'active' as const },
    ...{ capabilities, enable_outbound, shared_teams_id },
    created_at: row.created_at.toISOString(),
  }
}
