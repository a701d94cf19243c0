import type { components } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { allLines, linesOfPage } from './transcript-lines'
import { keyOf, listQuery } from '../../api/resources'

type Schemas = components['schemas']
export type VoiceAgent = Schemas['VoiceAgent']
export type VoiceAgentDetail = Schemas['EvaluatedVoiceAgentDetail']
export type Settings = Schemas['VoiceAgentSettings']
export type Version = Schemas['EvaluatedVoiceAgentVersion']
export type LastEvaluation = Schemas['LastEvaluation']
export type Tool = Schemas['VoiceAgentTool']
export type ToolParameter = Schemas['ToolParameter']
export type Offer = Schemas['Offer']
export type Provider = Schemas['WorkspaceAiProvider']
export type Draft = Schemas['InstructionDraft']
export type Rule = Schemas['EvaluationRule']
export type Script = Schemas['EvaluationScript']
export type ScriptInput = Schemas['EvaluationScriptInput']
export type Evaluation = Schemas['Evaluation']
export type EvaluationDetail = Schemas['EvaluationDetail']
export type EvaluationResult = Schemas['EvaluationResult']
export type Dialogue = Schemas['CallDialogue']

/** Query keys to invalidate when any voice agent changes. */
export const voiceAgentsKey = keyOf('/voice-agents')

/** Key of one voice agent, including its versions, tools and evaluations. */
export const voiceAgentKey = (id: string) => [...voiceAgentsKey, 'one', id] as const

/** The API's largest page: there are fewer versions, tools, scripts and offers. */
const all = { page: 1, limit: 100 } as const

/** The providers' offers change rarely. */
const offersAreFreshMs = 5 * 60_000

/** Polling interval of a running evaluation. */
const runningEveryMs = 3_000

export const voiceAgentsQuery = listQuery('/voice-agents', ['created_at', 'name'])

/** @param version default: the latest */
export const voiceAgentQuery = (id: string, version?: number) =>
  queryOptions({
    queryKey: [...voiceAgentKey(id), 'detail', version ?? 'latest'],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { ...(version !== undefined && { version }) } }
      return dataOf(api.GET('/voice-agents/{id}', { params, signal }))
    },
  })

export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...voiceAgentKey(id), 'versions'],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/voice-agents/{id}/versions', { params: { path: { id }, query: all }, signal })),
  })

export const toolsQuery = (id: string) =>
  queryOptions({
    queryKey: [...voiceAgentKey(id), 'tools'],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/voice-agents/{id}/tools', { params: { path: { id }, query: all }, signal })),
  })

export const scriptsQuery = (id: string) =>
  queryOptions({
    queryKey: [...voiceAgentKey(id), 'scripts'],
    queryFn: async ({ signal }) =>
      dataOf(
        api.GET('/voice-agents/{id}/evaluations/scripts', { params: { path: { id }, query: all }, signal }),
      ),
  })

export const evaluationsQuery = (id: string) =>
  queryOptions({
    queryKey: [...voiceAgentKey(id), 'evaluations'],
    queryFn: async ({ signal }) =>
      dataOf(api.GET('/voice-agents/{id}/evaluations', { params: { path: { id }, query: all }, signal })),
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'running') ? runningEveryMs : false,
  })

export const evaluationQuery = (id: string, evaluationId: string) =>
  queryOptions({
    queryKey: [...voiceAgentKey(id), 'evaluation', evaluationId],
    queryFn: async ({ signal }) =>
      dataOf(
        api.GET('/voice-agents/{id}/evaluations/{evaluationId}', {
          params: { path: { id, evaluationId } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? runningEveryMs : false),
  })

export const modelsQuery = queryOptions({
  queryKey: [...voiceAgentsKey, 'models'],
  queryFn: async ({ signal }) => dataOf(api.GET('/voice-agents/models', { params: { query: all }, signal })),
  staleTime: offersAreFreshMs,
})

export const voicesQuery = queryOptions({
  queryKey: [...voiceAgentsKey, 'voices'],
  queryFn: async ({ signal }) => dataOf(api.GET('/voice-agents/voices', { params: { query: all }, signal })),
  staleTime: offersAreFreshMs,
})

export const providersQuery = queryOptions({
  queryKey: [...voiceAgentsKey, 'providers'],
  queryFn: async ({ signal }) =>
    dataOf(api.GET('/voice-agents/providers', { params: { query: all }, signal })),
})

export const transcriptQuery = (callId: string) =>
  queryOptions({
    queryKey: ['calls', callId, 'transcript', 'latest'],
    queryFn: async ({ signal, client, queryKey }) =>
      allLines(client.getQueryData<Dialogue[]>(queryKey) ?? [], async (page) => {
        const params = { path: { id: callId }, query: { page, limit: linesOfPage } }
        return dataOf(api.GET('/calls/{id}/transcript', { params, signal }))
      }),
  })

/** The session is stored soon after the call's end: poll at this interval, this many times. */
const outcomeEveryMs = 1_000
const outcomeTries = 10

/** Outcome of a test call, after its end. */
export const outcomeQuery = (callId: string) =>
  queryOptions({
    queryKey: ['calls', callId, 'outcome'],
    queryFn: async ({ signal }) => {
      const call = await dataOf(api.GET('/calls/{id}', { params: { path: { id: callId } }, signal }))
      const { end_reason = null, cost = 0 } = call.voice_agent_sessions.at(-1) ?? {}
      return {
        hasCome: call.voice_agent_sessions.length > 0,
        isOver: call.ended_at !== null,
        end_reason,
        cost,
      }
    },
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      const isKnown = data && data.isOver && (!data.hasCome || data.end_reason !== null)
      return isKnown || dataUpdateCount >= outcomeTries ? false : outcomeEveryMs
    },
  })
