/** A simulated call on the sandbox, with the headers that the edge would send, and the call that results. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type JackfieldClient, type components, dataOf } from '@jackfield/sdk'
import { Errors } from '@oclif/core'
import type { EventSocket } from './event-socket.js'
import { usageError } from './usage-error.js'

type PhoneNumber = components['schemas']['PhoneNumber']

interface Caller {
  from: string
  name: string
  keys: string
  /** Seconds. */
  stays: number
  patience: number
}

/** The server accepts a call within milliseconds, unless it has just been started. */
const deadlineMs = 15_000
const everyMs = 100

/** @returns the call's id; null if it was refused without a call */
export async function callIn(
  socket: EventSocket,
  api: JackfieldClient,
  number: PhoneNumber,
  { from, name, keys, stays, patience }: Caller,
): Promise<string | null> {
  if (!/^[0-9*#A-DwW]{0,200}$/.test(keys)) throw usageError('--keys are digits, *, #, A to D, w and W')
  if (!/^\+?[0-9A-Za-z._-]{1,60}$/.test(from)) throw usageError('--from is a number')
  const variables = {
    'sip_h_X-Edge-Source': 'trunk',
    'sip_h_X-Edge-Number': number.id,
    'sip_h_X-Edge-Workspace': number.workspace_id,
    'sip_h_X-Edge-Acl': number.inbound_acl_id,
    // Braces would end the list of variables.
    caller_name: name.replace(/[{}]/g, ''),
    keys,
    stays: String(stays),
    patience: String(patience),
  }
  const list = Object.entries(variables).map(([key, value]) => `${key}=${value.replace(/[\\',]/g, '\\$&')}`)
  const startedAt = Date.now()
  const answer = await socket.api(`sandbox_call {${list.join(',')}}+${number.number} ${from}`)
  const channelId = /^\+OK (\S+)/.exec(answer)?.[1]
  if (!channelId) throw new Errors.CLIError(`The sandbox refuses: ${answer.trim()}`, { exit: 1 })
  while (Date.now() < startedAt + deadlineMs) {
    const mark = await socket.api(`uuid_getvar ${channelId} jackfield_call`)
    if (mark.startsWith('call_') && (await exists(api, mark))) return mark
    if (mark.startsWith('-ERR')) return latest(api, startedAt)
    await sleep(everyMs)
  }
  return null
}

/** A call that has ended already. */
async function latest(api: JackfieldClient, since: number): Promise<string | null> {
  const { data } = await dataOf(api.GET('/calls', { params: { query: { limit: 1 } } }))
  const [call] = data
  const isOurs = call?.direction === 'inbound' && Date.parse(call.created_at) >= since
  return isOurs ? call.call_id : null
}

async function exists(api: JackfieldClient, id: string): Promise<boolean> {
  try {
    await dataOf(api.GET('/calls/{id}', { params: { path: { id } } }))
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false
    throw error
  }
}
