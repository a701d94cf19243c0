/**
 * Who calls: what the customer's own server says of the caller, or else the workspace's contacts (contract,
 * Call-flow webhooks, 1).
 */
import type { ContactService } from '../contacts/contact.service.js'
import { displayText } from '../../adapters/freeswitch/dial-string.js'
import type { CallbackCall } from './callback-call.js'
import {
  type CallbackAnswer,
  type CallbackClient,
  type CallbackExchange,
  type CallbackFailure,
  type CallbackServer,
  failure,
} from '../../infrastructure/callbacks/callback-client.js'

/** Longest answer that is kept with the call, in bytes: a channel's variables are in each of its events. */
export const maxContactBytes = 16_384

/** Longest caller name that is shown to the called party. */
const maxNameLength = 64

/** The first of these that is a text with something in it is the caller's name. */
const nameFields = ['display_name', 'name', 'fullName', 'display_title', 'title'] as const

const notFound = 404

export interface FoundContact {
  /** Fit for a SIP header; null when the answer holds none. */
  name: string | null
  /** The answer as it was written, on one line. */
  data: string
  json: Readonly<Record<string, unknown>>
}

export type Found =
  | { outcome: 'found'; contact: FoundContact }
  | { outcome: 'not_found' }
  | { outcome: 'error'; failure: CallbackFailure }

export type LookupResult = Found & {
  /** Null when no server was asked. */
  exchange: CallbackExchange | null
}

interface Options {
  client: CallbackClient
  contacts: Pick<ContactService, 'findByNumber'>
}

export class ContactLookup {
  constructor(private readonly options: Options) {}

  /**
   * Asks the server, or looks into the contacts of the workspace. 404 and `{}` mean that there is no contact.
   * @throws when the database cannot be asked for contacts
   */
  async find(call: CallbackCall, server: CallbackServer | null): Promise<LookupResult> {
    if (!server) return { ...(await contactInside(this.options.contacts, call)), exchange: null }
    const { workspace, call_id, caller_number, destination_number, call_flow_id } = call
    const answer = await this.options.client.ask({
      ...{ workspace, server, callId: call_id },
      event: 'call_flow.contact_lookup',
      body: { call_id, caller_number, destination_number, workspace_id: workspace.id, call_flow_id },
    })
    return { ...readLookup(answer), exchange: answer.exchange }
  }
}

/** Looks the caller up in the contacts of the workspace. */
export async function contactInside(
  contacts: Options['contacts'],
  { workspace, caller_number }: Pick<CallbackCall, 'workspace' | 'caller_number'>,
): Promise<Found> {
  const contact = await contacts.findByNumber(workspace, caller_number)
  if (!contact) return { outcome: 'not_found' }
  const data = JSON.stringify(contact)
  return readContact(data, JSON.parse(data) as FoundContact['json'])
}

function readLookup(answer: CallbackAnswer): Found {
  if (!answer.ok) {
    return answer.exchange.status === notFound
      ? { outcome: 'not_found' }
      : { outcome: 'error', failure: { ok: false, error: answer.error, message: answer.message } }
  }
  return readContact(onOneLine(answer.text), answer.json)
}

/**
 * Reads what a server says of a caller.
 * @param data the same as it was written, on one line
 */
export function readContact(data: string, json: FoundContact['json']): Found {
  if (Object.keys(json).length === 0) return { outcome: 'not_found' }
  if (Buffer.byteLength(data) > maxContactBytes) {
    const message = `the contact is longer than ${maxContactBytes} bytes`
    return { outcome: 'error', failure: failure('too_long', message) }
  }
  return { outcome: 'found', contact: { name: nameIn(json), data, json } }
}

/** JSON holds line breaks between its tokens only. */
function onOneLine(json: string): string {
  return json.replace(/[\r\n]+/g, ' ').trim()
}

function nameIn(json: Readonly<Record<string, unknown>>): string | null {
  for (const field of nameFields) {
    const value = Object.hasOwn(json, field) ? json[field] : undefined
    if (typeof value !== 'string' || value.trim() === '') continue
    const shown = [...displayText(value.replace(/\p{Cs}/gu, ''))].slice(0, maxNameLength).join('').trim()
    return shown === '' ? null : shown
  }
  return null
}
