/** What is recorded of the current call. */
import { dataOf } from '@jackfield/sdk'
import type { components } from '@jackfield/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client'
import { useCatchingUp, useLiveEvents } from '../../live/live'
import type { CurrentCall } from './phone'

export type CallRecording = components['schemas']['OwnCallRecording']

const keyOf = (callId: string) => ['own-call-recordings', callId] as const

const events = ['recording.started', 'recording.paused', 'recording.resumed', 'recording.completed'] as const

/** The recording that runs; null: the call is not recorded. */
export function runningOf(recordings: readonly CallRecording[]): CallRecording | null {
  const isRunning = ({ kind, status }: CallRecording) =>
    kind === 'call' && (status === 'recording' || status === 'paused')
  return recordings.find(isRunning) ?? null
}

/** The recording of the current call, live. It is asked for once the call is answered, and after its events. */
export function useRecording({ callId, since }: CurrentCall): CallRecording | null {
  const client = useQueryClient()
  const queryKey = keyOf(callId)
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const params = { path: { id: callId }, query: { page: 1, limit: 5 } }
      const { data: rows } = await dataOf(api.GET('/call-center/calls/{id}/recordings', { params, signal }))
      return runningOf(rows)
    },
    enabled: since !== null,
  })
  useLiveEvents(events, ({ call_id }) => {
    if (call_id === callId) void client.invalidateQueries({ queryKey })
  })
  useCatchingUp(queryKey)
  return data ?? null
}

/** Pauses the recording of a call, or resumes it. */
export function usePausing(callId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, status }: CallRecording) => {
      const request = { params: { path: { id: callId, recording_id: id } } }
      const base = '/call-center/calls/{id}/recordings/{recording_id}'
      return dataOf(
        status === 'paused' ? api.POST(`${base}/resume`, request) : api.POST(`${base}/pause`, request),
      )
    },
    onSuccess: (recording) => client.setQueryData(keyOf(callId), recording),
    onError: () => void client.invalidateQueries({ queryKey: keyOf(callId) }),
  })
}
