/** The state of a flow in its call, and its text in the recovery variables of the channel. */
import { Buffer } from 'node:buffer'

/** The answer of a contact lookup, or a contact of the workspace. */
export type ContactData = Readonly<Record<string, unknown>>

/** Immutable: nodes return a new one. */
export interface FlowState {
  /** The current node of the call. */
  readonly node: string
  /** E.164 with the plus sign, or `anonymous`. */
  readonly caller_number: string
  readonly called_number: string
  /** The keys collected last; '' before the first. */
  readonly digits: string
  readonly variables: Readonly<Record<string, string>>
  readonly contact: ContactData | null
  readonly contact_name: string | null
}

/** A state as a channel kept it. */
export interface KeptState {
  state: FlowState
  /** There is a contact, which the channel keeps once, elsewhere; in `state` it is null. */
  hasContact: boolean
}

/** Characters of a kept state, at most: it is written at each node, and the switch reads 1 kB in 1 ms. */
export const maxKeptLength = 8_192

/** Bytes of JSON that the variables of a call may take together; leaves room for all else. */
const maxVariableBytes = 4_096

/** A number is what a SIP caller wrote; none is longer than this. */
const maxNumberLength = 64
const maxNameLength = 100

/** The initial state of a flow. @param start `forwarded_from`: who forwarded the call, a variable of the flow */
export function firstState(start: {
  node: string
  caller_number: string
  called_number: string
  forwarded_from?: string | null
}): FlowState {
  return {
    node: start.node,
    caller_number: start.caller_number.slice(0, maxNumberLength),
    called_number: start.called_number.slice(0, maxNumberLength),
    digits: '',
    variables: start.forwarded_from ? { forwarded_from: start.forwarded_from.slice(0, maxNumberLength) } : {},
    contact: null,
    contact_name: null,
  }
}

/** @param name cut at 100 characters */
export function withContact(state: FlowState, contact: ContactData | null, name: string | null): FlowState {
  return {
    ...state,
    contact,
    contact_name: name === null ? null : [...name].slice(0, maxNameLength).join(''),
  }
}

/** Whether a channel can keep these variables. */
export function fitVariables(variables: Readonly<Record<string, string>>): boolean {
  return Buffer.byteLength(JSON.stringify(variables)) <= maxVariableBytes
}

/** Base64url of JSON, at most {@link maxKeptLength} characters; without the contact. */
export function encodeState(state: FlowState): string {
  const kept: KeptState = { state: { ...state, contact: null }, hasContact: state.contact !== null }
  return Buffer.from(JSON.stringify(kept), 'utf8').toString('base64url')
}

/** @returns null when the text is not what {@link encodeState} writes */
export function decodeState(text: string): KeptState | null {
  try {
    const kept = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as KeptState | null
    return typeof kept?.state?.node === 'string' ? kept : null
  } catch {
    return null
  }
}
