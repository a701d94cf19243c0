import { type ManagingActor, apiKey, endpoint, mayWrite } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf, pageOf, pageQuery } from '../../infrastructure/http/lists.js'
import { maskedHeaders, maskedUrl } from '../../infrastructure/http/masked-secrets.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import type { VoiceAgentTool } from './voice-agent-tool.entity.js'
import { CreateTool, UpdateTool, VoiceAgentToolShape, toolParams } from './voice-agent-tool.schema.js'
import type { VoiceAgentTools } from './voice-agent-tool.service.js'
import type { VoiceAgentService } from './voice-agent.service.js'

interface Services {
  voiceAgents: VoiceAgentService
  tools: VoiceAgentTools
}

const tag = 'Voice agents'
const read = apiKey('any')
const write = apiKey('full')
const unknown = { 404: 'No such voice agent or tool' }
const masked =
  'Keys that may not write see `********` in place of the values of headers, and of credentials and query values in the URL.'
const taken = { 409: 'The voice agent has a tool of this name' }

export function voiceAgentToolEndpoints({ voiceAgents, tools }: Services) {
  const present = (tool: VoiceAgentTool, actor: ManagingActor) => ({
    ...tool,
    ...shownRequest(tool, actor),
    created_at: tool.created_at.toISOString(),
    updated_at: tool.updated_at.toISOString(),
  })
  /** A tool's URL and headers, masked for actors that may not write. */
  const shownRequest = (tool: VoiceAgentTool, actor: ManagingActor) => {
    const { webhook_url } = tool
    const webhook_headers = tools.headersOf(tool)
    if (mayWrite(actor)) return { webhook_url, webhook_headers }
    return {
      webhook_url: webhook_url && maskedUrl(webhook_url),
      webhook_headers: maskedHeaders(webhook_headers),
    }
  }
  return [
    endpoint({
      method: 'GET',
      path: '/voice-agents/:id/tools',
      summary: 'List the tools of a voice agent',
      description: `The built-in ones first, then the custom ones in the order of their making. ${masked}`,
      tag,
      auth: read,
      params: idParams,
      query: pageQuery(100),
      response: { 200: listOf(VoiceAgentToolShape) },
      errors: { 404: 'No such voice agent' },
      handler: async ({ workspace, actor, params, query }) => {
        const { id } = await voiceAgents.get(workspace, params.id)
        const page = pageOf(query, await tools.list(workspace, id))
        return listAnswer(query, page, (tool) => present(tool, actor))
      },
    }),
    endpoint({
      method: 'GET',
      path: '/voice-agents/:id/tools/:toolId',
      summary: 'Show a tool',
      description: masked,
      tag,
      auth: read,
      params: toolParams,
      response: { 200: VoiceAgentToolShape },
      errors: unknown,
      handler: async ({ workspace, actor, params }) => {
        const { id } = await voiceAgents.get(workspace, params.id)
        return present(await tools.get(workspace, id, params.toolId), actor)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/voice-agents/:id/tools',
      summary: 'Add a custom tool',
      description: 'A version can use it once its settings name it in `functions`.',
      tag,
      auth: write,
      params: idParams,
      body: CreateTool,
      response: { 201: VoiceAgentToolShape },
      errors: { 403: 'The voice agent has as many tools as it may', 404: 'No such voice agent', ...taken },
      handler: async ({ workspace, actor, params, body }) =>
        present(await tools.create(workspace, params.id, body), actor),
    }),
    endpoint({
      method: 'PATCH',
      path: '/voice-agents/:id/tools/:toolId',
      summary: 'Change a tool',
      description:
        'Of a built-in tool only `is_active` can be changed. A header or URL that is sent back with its mask keeps what is stored.',
      tag,
      auth: write,
      params: toolParams,
      body: UpdateTool,
      response: { 200: VoiceAgentToolShape },
      errors: { ...unknown, ...taken },
      handler: async ({ workspace, actor, params, body }) =>
        present(await tools.update(workspace, params.id, params.toolId, body), actor),
    }),
    endpoint({
      method: 'DELETE',
      path: '/voice-agents/:id/tools/:toolId',
      summary: 'Delete a custom tool',
      tag,
      auth: write,
      params: toolParams,
      response: { 200: VoiceAgentToolShape },
      errors: { ...unknown, 400: 'The tool is built in', 409: 'A version has it enabled' },
      handler: async ({ workspace, actor, params }) =>
        present(await tools.delete(workspace, params.id, params.toolId), actor),
    }),
  ]
}
