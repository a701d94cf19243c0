/** Prints the events of a call as they come, until it has ended. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type JackfieldClient, type components, dataOf } from '@jackfield/sdk'

type CallEvent = components['schemas']['CallEvent']

/** 60 a minute: within the limit of 100 of a key, with room for other requests. */
const everyMs = 1_000

/** Longest call (contract, section Limits), plus time to ring and to detect the end. */
const deadlineMs = 7_500_000

export async function followCall(
  api: JackfieldClient,
  id: string,
  print: (line: string) => void,
): Promise<CallEvent[]> {
  const until = Date.now() + deadlineMs
  let shown = 0
  for (;;) {
    const data = await eventsOf(api, id)
    for (const event of data.slice(shown)) print(lineOf(event))
    shown = data.length
    if (data.some(({ event }) => event === 'call.ended') || Date.now() > until) return data
    await sleep(everyMs)
  }
}

/** The events so far; on a 429 it waits, since the call continues meanwhile. */
async function eventsOf(api: JackfieldClient, id: string): Promise<CallEvent[]> {
  const params = { path: { id }, query: { limit: 100 } }
  for (;;) {
    try {
      return (await dataOf(api.GET('/calls/{id}/events', { params }))).data
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error
      await sleep((error.body?.retryAfter ?? 1) * 1_000)
    }
  }
}

/** `details` of an event that its line shows, in this order. */
const SHOWN = [
  'node_id',
  'type',
  'action',
  'kind',
  'tool',
  'mode',
  'digits',
  'position',
  'outcome',
  'status',
  'reason',
  'error',
  'problem',
]

/** `12:00:01.123  call.answered  200`, `12:00:03.456  call.action    tts  completed`. */
export function lineOf({ created_at, event, sip_code, hangup_cause, details = {} }: CallEvent): string {
  const shown = SHOWN.flatMap((name) => {
    const value = details[name]
    return typeof value === 'string' || typeof value === 'number' ? [String(value)] : []
  })
  const numbers = shown.length > 0 ? [] : [sip_code ?? '', hangup_cause ?? '']
  return [created_at.slice(11, 23), event.padEnd(13), ...numbers, ...shown].join('  ').trimEnd()
}
