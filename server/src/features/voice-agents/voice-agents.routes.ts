import type { VoiceAgentDetail } from './voice-agent-detail.js'
import { type Tenant, apiKey, endpoint } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf, pageOf, pageQuery } from '../../infrastructure/http/lists.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import type { Catalogue } from '../ai-providers/catalogue.js'
import { lastEvaluation } from './evaluations/evaluation.presenter.js'
import type { EvaluationService } from './evaluations/evaluations.service.js'
import { presentAgent, presentDetail } from './voice-agent.presenter.js'
import {
  CreateVoiceAgent,
  EvaluatedDetailShape,
  OfferShape,
  UpdateVoiceAgent,
  VersionQuery,
  VoiceAgentDetailShape,
} from './voice-agent.schema.js'
import { voiceAgentResource } from './voice-agent.resource.js'
import type { VoiceAgentService } from './voice-agent.service.js'

interface Services {
  voiceAgents: VoiceAgentService
  catalogue: Catalogue
  evaluations: Pick<EvaluationService, 'lastOf'>
}

const { tag } = voiceAgentResource
const read = apiKey('any')
const write = apiKey('full')
const unknown = { 404: 'No such voice agent' }

export function voiceAgentEndpoints({ voiceAgents, catalogue, evaluations }: Services) {
  const present = async (workspace: Tenant, detail: VoiceAgentDetail) =>
    presentDetail(await catalogue.offers(), workspace, detail)
  return [
    // These two precede /voice-agents/:id, which would match them too.
    endpoint({
      method: 'GET',
      path: '/voice-agents/models',
      summary: 'List the AI models',
      tag,
      auth: read,
      query: pageQuery(100),
      response: { 200: listOf(OfferShape) },
      handler: async ({ query }) =>
        listAnswer(query, pageOf(query, (await catalogue.offers()).models), (offer) => offer),
    }),
    endpoint({
      method: 'GET',
      path: '/voice-agents/voices',
      summary: 'List the voices',
      tag,
      auth: read,
      query: pageQuery(100),
      response: { 200: listOf(OfferShape) },
      handler: async ({ query }) =>
        listAnswer(query, pageOf(query, (await catalogue.offers()).voices), (offer) => offer),
    }),
    ...voiceAgentResource.endpoints(voiceAgents, (agent, { workspace }) => presentAgent(workspace, agent), {
      show: endpoint({
        method: 'GET',
        path: '/voice-agents/:id',
        summary: 'Show a voice agent with the settings of a version',
        description: 'The latest version, unless `version` names another one.',
        tag,
        auth: read,
        params: idParams,
        query: VersionQuery,
        response: { 200: EvaluatedDetailShape },
        errors: { 404: 'No such voice agent, or it has no such version' },
        handler: async ({ workspace, params, query }) => {
          const detail = await voiceAgents.detail(workspace, params.id, query.version)
          const last = await evaluations.lastOf(workspace, params.id)
          return {
            ...(await present(workspace, detail)),
            ...lastEvaluation(last.get(detail.settings.version)),
          }
        },
      }),
      create: endpoint({
        method: 'POST',
        path: '/voice-agents',
        summary: 'Create a voice agent',
        description:
          'Its version 1 is published. `conversation` and `response_id` name the conversation with an AI in which the instructions were written, where there was one.',
        tag,
        auth: write,
        body: CreateVoiceAgent,
        response: { 201: VoiceAgentDetailShape },
        errors: { 403: 'The workspace has 30 voice agents' },
        handler: async ({ workspace, body }) => present(workspace, await voiceAgents.create(workspace, body)),
      }),
      update: endpoint({
        method: 'PATCH',
        path: '/voice-agents/:id',
        summary: 'Rename a voice agent',
        tag,
        auth: write,
        params: idParams,
        body: UpdateVoiceAgent,
        response: { 200: VoiceAgentDetailShape },
        errors: unknown,
        handler: async ({ workspace, params, body }) =>
          present(workspace, await voiceAgents.update(workspace, params.id, body)),
      }),
    }),
  ]
}
