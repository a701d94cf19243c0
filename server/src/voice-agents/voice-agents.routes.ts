import { type Tenant, apiKey, endpoint } from '../http/endpoint.js'
import { listAnswer, listOf, listQuery, pageOf, pageQuery } from '../http/lists.js'
import { idParams } from '../http/shapes.js'
import type { Catalogue } from './catalogue.js'
import type { VoiceAgentSettings } from './voice-agent-settings.entity.js'
import type { VoiceAgentVersions } from './voice-agent-versions.service.js'
import type { VoiceAgent } from './voice-agent.entity.js'
import {
  CreateVoiceAgent,
  OfferShape,
  PublishVersion,
  UpdateSettings,
  UpdateVoiceAgent,
  VersionQuery,
  VoiceAgentDetailShape,
  VoiceAgentShape,
  VoiceAgentVersionShape,
  versionParams,
} from './voice-agent.schema.js'
import type { VoiceAgentDetail, VoiceAgentService } from './voice-agent.service.js'

interface Services {
  voiceAgents: VoiceAgentService
  versions: VoiceAgentVersions
  catalogue: Catalogue
}

const tag = 'Voice agents'
const read = apiKey('any')
const write = apiKey('full')
const unknown = { 404: 'No such voice agent' }

/** Voice agents and their versions; tools are `voice-agent-tools.routes.ts`. */
export function voiceAgentEndpoints({ voiceAgents, versions, catalogue }: Services) {
  const presentDetail = (workspace: Tenant, { agent, settings }: VoiceAgentDetail) => ({
    ...presentAgent(workspace, agent),
    settings: presentSettings(catalogue, settings),
  })
  return [
    // These two stand before /voice-agents/:id, which would match them too.
    endpoint({
      method: 'GET',
      path: '/voice-agents/models',
      summary: 'List the AI models',
      tag,
      auth: read,
      query: pageQuery(100),
      response: { 200: listOf(OfferShape) },
      handler: ({ query }) => listAnswer(query, pageOf(query, catalogue.models), (offer) => offer),
    }),
    endpoint({
      method: 'GET',
      path: '/voice-agents/voices',
      summary: 'List the voices',
      tag,
      auth: read,
      query: pageQuery(100),
      response: { 200: listOf(OfferShape) },
      handler: ({ query }) => listAnswer(query, pageOf(query, catalogue.voices), (offer) => offer),
    }),
    endpoint({
      method: 'GET',
      path: '/voice-agents',
      summary: 'List voice agents',
      tag,
      auth: read,
      query: listQuery({ limit: 10, sort: ['created_at', 'name'], search: 'Looks at the name' }),
      response: { 200: listOf(VoiceAgentShape) },
      handler: async ({ workspace, query }) =>
        listAnswer(query, await voiceAgents.list(workspace, query), (agent) =>
          presentAgent(workspace, agent),
        ),
    }),
    endpoint({
      method: 'GET',
      path: '/voice-agents/:id',
      summary: 'Show a voice agent with the settings of a version',
      description: 'The latest version, unless `version` names another one.',
      tag,
      auth: read,
      params: idParams,
      query: VersionQuery,
      response: { 200: VoiceAgentDetailShape },
      errors: { 404: 'No such voice agent, or it has no such version' },
      handler: async ({ workspace, params, query }) =>
        presentDetail(workspace, await voiceAgents.detail(workspace, params.id, query.version)),
    }),
    endpoint({
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
      handler: async ({ workspace, body }) =>
        presentDetail(workspace, await voiceAgents.create(workspace, body)),
    }),
    endpoint({
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
        presentDetail(workspace, await voiceAgents.update(workspace, params.id, body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/voice-agents/:id',
      summary: 'Delete a voice agent with all its versions and tools',
      tag,
      auth: write,
      params: idParams,
      response: { 200: VoiceAgentShape },
      errors: { ...unknown, 409: 'An extension or a call flow uses it' },
      handler: async ({ workspace, params }) =>
        presentAgent(workspace, await voiceAgents.delete(workspace, params.id)),
    }),
    endpoint({
      method: 'GET',
      path: '/voice-agents/:id/versions',
      summary: 'List the versions, newest first',
      tag,
      auth: read,
      params: idParams,
      query: pageQuery(100),
      response: { 200: listOf(VoiceAgentVersionShape) },
      errors: unknown,
      handler: async ({ workspace, params, query }) => {
        const { id } = await voiceAgents.get(workspace, params.id)
        return listAnswer(query, pageOf(query, await versions.list(workspace, id)), presentVersion)
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
        presentDetail(workspace, await versions.changeSettings(workspace, params.id, body)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/voice-agents/:id/publish',
      summary: 'Publish a version',
      tag,
      auth: write,
      params: idParams,
      body: PublishVersion,
      response: { 200: VoiceAgentDetailShape },
      errors: unknown,
      handler: async ({ workspace, params, body }) =>
        presentDetail(workspace, await versions.publish(workspace, params.id, body.version)),
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

function presentAgent(workspace: Tenant, agent: VoiceAgent) {
  return {
    id: agent.id,
    name: agent.name,
    workspace_id: agent.workspace_id,
    country_code: workspace.country_code,
    published_version: agent.published_version,
    created_at: agent.created_at.toISOString(),
    updated_at: agent.updated_at.toISOString(),
  }
}

function presentSettings(catalogue: Catalogue, settings: VoiceAgentSettings) {
  return {
    ...settings,
    provider: catalogue.providerOf(settings.model_id),
    created_at: settings.created_at.toISOString(),
    updated_at: settings.updated_at.toISOString(),
  }
}

function presentVersion({ version, updated_at }: VoiceAgentSettings) {
  return { version, updated_at: updated_at.toISOString() }
}
