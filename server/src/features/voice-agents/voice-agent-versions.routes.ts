import type { VoiceAgentDetail } from './voice-agent-detail.js'
import { type Tenant, apiKey, endpoint } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf, pageOf, pageQuery } from '../../infrastructure/http/lists.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import type { Catalogue } from '../ai-providers/catalogue.js'
import { lastEvaluation } from './evaluations/evaluation.presenter.js'
import type { EvaluationService } from './evaluations/evaluations.service.js'
import type { VoiceAgentVersions } from './voice-agent-versions.service.js'
import { presentDetail, presentVersion } from './voice-agent.presenter.js'
import {
  EvaluatedDetailShape,
  EvaluatedVersionShape,
  PublishVersion,
  UpdateSettings,
  VoiceAgentDetailShape,
  VoiceAgentVersionShape,
  versionParams,
} from './voice-agent.schema.js'
import type { VoiceAgentService } from './voice-agent.service.js'

interface Services {
  voiceAgents: VoiceAgentService
  versions: VoiceAgentVersions
  catalogue: Catalogue
  evaluations: Pick<EvaluationService, 'lastOf'>
}

const tag = 'Voice agents'
const read = apiKey('any')
const write = apiKey('full')
const unknown = { 404: 'No such voice agent' }

export function voiceAgentVersionEndpoints({ voiceAgents, versions, catalogue, evaluations }: Services) {
  const present = async (workspace: Tenant, detail: VoiceAgentDetail) =>
    presentDetail(await catalogue.offers(), workspace, detail)
  return [
    endpoint({
      method: 'GET',
      path: '/voice-agents/:id/versions',
      summary: 'List the versions, newest first',
      tag,
      auth: read,
      params: idParams,
      query: pageQuery(100),
      response: { 200: listOf(EvaluatedVersionShape) },
      errors: unknown,
      handler: async ({ workspace, params, query }) => {
        const { id } = await voiceAgents.get(workspace, params.id)
        const last = await evaluations.lastOf(workspace, id)
        return listAnswer(query, pageOf(query, await versions.list(workspace, id)), (settings) => ({
          ...presentVersion(settings),
          ...lastEvaluation(last.get(settings.version)),
        }))
      },
    }),
    endpoint({
      method: 'PATCH',
      path: '/voice-agents/:id/settings',
      summary: 'Change the settings of a version',
      description: 'Calls get the settings of the published version: changes of those are heard at once.',
      tag,
      auth: write,
      params: idParams,
      body: UpdateSettings,
      response: { 200: VoiceAgentDetailShape },
      errors: unknown,
      handler: async ({ workspace, params, body }) =>
        present(workspace, await versions.changeSettings(workspace, params.id, body)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/voice-agents/:id/publish',
      summary: 'Publish a version',
      description: 'The answer has the last evaluation of the version, if there is one.',
      tag,
      auth: write,
      params: idParams,
      body: PublishVersion,
      response: { 200: EvaluatedDetailShape },
      errors: unknown,
      handler: async ({ workspace, params, body }) => {
        const published = await present(workspace, await versions.publish(workspace, params.id, body.version))
        const last = await evaluations.lastOf(workspace, params.id)
        return { ...published, ...lastEvaluation(last.get(body.version)) }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/voice-agents/:id/version',
      summary: 'Make a new version from the published one',
      description: 'Twenty versions are kept: the oldest ones go, but never the published one.',
      tag,
      auth: write,
      params: idParams,
      response: { 201: VoiceAgentVersionShape },
      errors: { ...unknown, 400: 'No version is published' },
      handler: async ({ workspace, params }) => presentVersion(await versions.add(workspace, params.id)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/voice-agents/:id/version/:version',
      summary: 'Delete a version',
      tag,
      auth: write,
      params: versionParams,
      response: { 200: VoiceAgentVersionShape },
      errors: { 400: 'It is the published one', 404: 'No such voice agent or version' },
      handler: async ({ workspace, params }) =>
        presentVersion(await versions.remove(workspace, params.id, params.version)),
    }),
  ]
}
