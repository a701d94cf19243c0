/** Shows the events of a call as they come, until it has ended. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type JackfieldClient, type components, dataOf } from '@jackfield/sdk'

type CallEvent = components['schemas']['CallEvent']

const everyMs = 700

/** No call lives longer (contract, section Limits), with the time to ring and to be noticed. */
const deadlineMs = 7_500_000

export async function followCall(
  api: JackfieldClient,
  id: string,
  print: (line: string) => void,
): Promise<CallEvent[]> {
  const until = Date.now() + deadlineMs
  let shown = 0
  for (;;) {
    const { data } = await dataOf(
      api.GET('/calls/{id}/events', { params: { path: { id }, query: { limit: 100 } } }),
    )
    for (const event of data.slice(shown)) print(lineOf(event))
    shown = data.length
    if (data.some(({ event }) => event === 'call.ended') || Date.now() > until) return data
    await sleep(everyMs)
  }
}

/** `12:00:01.123  call.answered  200`. */
export function lineOf({ created_at, event, sip_code, hangup_cause }: CallEvent): string {
  return [created_at.slice(11, 23), event.padEnd(13), sip_code ?? '', hangup_cause ?? ''].join('  ').trimEnd()
}
