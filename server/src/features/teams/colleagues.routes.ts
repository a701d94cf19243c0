import Type from 'typebox'
import type { AgentPresenter } from '../agents/agent.presenter.js'
import type { AgentService } from '../agents/agent.service.js'
import { agent, endpoint } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf, pageQuery } from '../../infrastructure/http/lists.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import { ColleagueShape, presentColleague } from './call-center.schema.js'

const tag = 'Call centre'

const colleagueQuery = Type.Object({
  ...pageQuery(20).properties,
  search: Type.Optional(Type.String({ maxLength: 100, description: 'Looks at display name and username' })),
})

interface Services {
  agents: AgentService
  agentPresenter: AgentPresenter
}

export function colleagueEndpoints({ agents, agentPresenter }: Services) {
  return [
    endpoint({
      method: 'GET',
      path: '/call-center/agents',
      summary: 'List the agents of the workspace',
      description: 'Active agents by display name, for assigning conversations.',
      tag,
      auth: agent(),
      query: colleagueQuery,
      response: { 200: listOf(ColleagueShape) },
      handler: async ({ workspace, query }) => {
        const page = await agents.listColleagues(workspace, query)
        const present = await agentPresenter.presenting(workspace, page.rows)
        return listAnswer(query, page, (one) => presentColleague(present(one)))
      },
    }),
    endpoint({
      method: 'GET',
      path: '/call-center/agents/:id',
      summary: 'Show an agent of the workspace',
      description: 'Also one who may not work any more: messages and notes stay theirs.',
      tag,
      auth: agent(),
      params: idParams,
      response: { 200: ColleagueShape },
      errors: { 404: 'No such agent' },
      handler: async ({ workspace, params }) =>
        presentColleague(await agentPresenter.present(workspace, await agents.get(workspace, params.id))),
    }),
  ]
}
