import { apiKey, endpoint } from '../../../infrastructure/http/endpoint.js'
import { listAnswer, listOf, pageOf, pageQuery } from '../../../infrastructure/http/lists.js'
import { idParams } from '../../../infrastructure/http/shapes.js'
import type { VoiceAgentService } from '../voice-agent.service.js'
import { presentEvaluation, presentEvaluationDetail, presentScript } from './evaluation.presenter.js'
import type { EvaluationScripts } from './evaluation-scripts.service.js'
import {
  CreateScript,
  EvaluationDetailShape,
  EvaluationQuery,
  EvaluationShape,
  ScriptShape,
  StartEvaluation,
  UpdateScript,
  evaluationParams,
  scriptParams,
} from './evaluations.schema.js'
import type { EvaluationService } from './evaluations.service.js'

interface Services {
  voiceAgents: VoiceAgentService
  scripts: EvaluationScripts
  evaluations: EvaluationService
}

const tag = 'Voice agents'
const read = apiKey('any')
const write = apiKey('full')
const unknown = { 404: 'No such voice agent' }
const unknownScript = { 404: 'No such voice agent or script' }
const taken = { 409: 'The voice agent has a script of this name' }

export function evaluationEndpoints({ voiceAgents, scripts, evaluations }: Services) {
  return [
    // The routes of scripts precede /evaluations/:evaluationId, which would match them too.
    endpoint({
      method: 'GET',
      path: '/voice-agents/:id/evaluations/scripts',
      summary: 'List the scripts of a voice agent’s evaluations, oldest first',
      tag,
      auth: read,
      params: idParams,
      query: pageQuery(100),
      response: { 200: listOf(ScriptShape) },
      errors: unknown,
      handler: async ({ workspace, params, query }) => {
        const { id } = await voiceAgents.get(workspace, params.id)
        return listAnswer(query, pageOf(query, await scripts.list(workspace, id)), presentScript)
      },
    }),
    endpoint({
      method: 'GET',
      path: '/voice-agents/:id/evaluations/scripts/:scriptId',
      summary: 'Show a script',
      tag,
      auth: read,
      params: scriptParams,
      response: { 200: ScriptShape },
      errors: unknownScript,
      handler: async ({ workspace, params }) =>
        presentScript(await scripts.get(workspace, params.id, params.scriptId)),
    }),
    endpoint({
      method: 'POST',
      path: '/voice-agents/:id/evaluations/scripts',
      summary: 'Write a script: a caller, and what is expected of the answers',
      tag,
      auth: write,
      params: idParams,
      body: CreateScript,
      response: { 201: ScriptShape },
      errors: { ...unknown, ...taken, 403: 'The voice agent has 50 scripts' },
      handler: async ({ workspace, params, body }) =>
        presentScript(await scripts.create(workspace, params.id, body)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/voice-agents/:id/evaluations/scripts/:scriptId',
      summary: 'Change a script',
      tag,
      auth: write,
      params: scriptParams,
      body: UpdateScript,
      response: { 200: ScriptShape },
      errors: { ...unknownScript, ...taken },
      handler: async ({ workspace, params, body }) =>
        presentScript(await scripts.update(workspace, params.id, params.scriptId, body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/voice-agents/:id/evaluations/scripts/:scriptId',
      summary: 'Delete a script',
      description: 'Results of evaluations that it was played in stay.',
      tag,
      auth: write,
      params: scriptParams,
      response: { 200: ScriptShape },
      errors: unknownScript,
      handler: async ({ workspace, params }) =>
        presentScript(await scripts.delete(workspace, params.id, params.scriptId)),
    }),
    endpoint({
      method: 'GET',
      path: '/voice-agents/:id/evaluations',
      summary: 'List the evaluations of a voice agent, newest first',
      description: 'The last 50 are kept.',
      tag,
      auth: read,
      params: idParams,
      query: EvaluationQuery,
      response: { 200: listOf(EvaluationShape) },
      errors: unknown,
      handler: async ({ workspace, params, query }) => {
        const { id } = await voiceAgents.get(workspace, params.id)
        return listAnswer(query, await evaluations.list(workspace, id, query), presentEvaluation)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/voice-agents/:id/evaluations',
      summary: 'Play scripts to a version',
      description:
        'In the background, with the settings that the version has now: ask for the evaluation until it has ended.',
      tag,
      auth: write,
      tier: 'heavy',
      params: idParams,
      body: StartEvaluation,
      response: { 201: EvaluationShape },
      errors: { ...unknown, 409: 'Five evaluations are running' },
      handler: async ({ workspace, params, body }) =>
        presentEvaluation(await evaluations.start(workspace, params.id, body)),
    }),
    endpoint({
      method: 'GET',
      path: '/voice-agents/:id/evaluations/:evaluationId',
      summary: 'Show an evaluation with its results so far',
      tag,
      auth: read,
      params: evaluationParams,
      response: { 200: EvaluationDetailShape },
      errors: { 404: 'No such voice agent or evaluation' },
      handler: async ({ workspace, params }) =>
        presentEvaluationDetail(await evaluations.get(workspace, params.id, params.evaluationId)),
    }),
  ]
}
