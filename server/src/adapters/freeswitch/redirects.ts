/**
 * Calls that their far end redirects (3xx). The switch must not follow a redirect, which could lead anywhere, and reports its
 * own 487 for it; so the edge refuses the leg with 480, that of a phone with 410, and names the reason in the phrase (relay.cfg).
 */
import type { SwitchEvent } from './switch-event.js'

/** What happens to a caller when the leg that the switch dials for it (`bridge`) fails. */
export type OnFailure = 'end' | 'go_on' | 'go_on_if_forwarded' | 'go_on_if_called_again'

/**
 * As `continue_on_fail` of the switch says it. It makes NUMBER_CHANGED of 410, and the others of refused media (415, 488, 606).
 * A phone that answers so itself keeps its caller as well: the server then ends the caller with that.
 */
export const continueOnFail: Readonly<Record<OnFailure, string>> = {
  end: 'false',
  go_on: 'true',
  go_on_if_forwarded: 'NUMBER_CHANGED',
  go_on_if_called_again: 'NUMBER_CHANGED,INCOMPATIBLE_DESTINATION,SERVICE_NOT_IMPLEMENTED',
}

export interface Refusal {
  /** SIP status that refused the INVITE, or null. */
  readonly sipCode: number | null
  /** Of a phone that forwards its calls: where to, as `user@host`. */
  readonly forwardedTo?: string
}

const redirected = /^Redirected (3\d\d)(?: to ([A-Za-z0-9_.+*#-]{1,64}@[a-z0-9.-]{1,190}))?$/

/** Reads from the event of a channel's end how its INVITE was refused. */
export function refusalOf(event: Pick<SwitchEvent, 'variable'>): Refusal {
  const sipCode = sipStatus(event.variable('sip_invite_failure_status'))
  const found =
    sipCode === 480 || sipCode === 410
      ? redirected.exec(event.variable('sip_invite_failure_phrase') ?? '')
      : null
  if (!found) return { sipCode }
  return { sipCode: Number(found[1]), ...(found[2] !== undefined && { forwardedTo: found[2] }) }
}

/** Whether the far end refuses the offered media, and may accept others. */
export function refusesMedia(sipCode: number | null): boolean {
  return sipCode === 415 || sipCode === 488 || sipCode === 606
}

/** A SIP status as text, or null if it is none. */
export function sipStatus(text: string | undefined): number | null {
  const status = Number(text)
  return status >= 100 && status < 700 ? status : null
}

export function isRedirect(sipCode: number | null): boolean {
  return sipCode !== null && sipCode >= 300 && sipCode < 400
}
