/** What pushes say (contract, section Push payloads for incoming calls), and how each platform wants it written. */

/** A call that rings a device. */
export interface RingingCall {
  workspace_id: string
  call_id: string
  /** Where the app connects with the call token. */
  ws_url: string
  /** Seconds from the ring's begin until the app dismisses it by itself. */
  ring_timeout_secs: number
  caller: { number: string; name: string | null; avatar: string | null }
  callee: { number: string; name: string | null }
  is_transfer: boolean
  transfer_reason: string | null
  is_video: boolean
}

/** The fields of a push, before a platform's own. */
export type PushFields = Readonly<Record<string, string | number | boolean | null>>

/**
 * Both services refuse more than 4,096 bytes (APNs takes 5,120 for VoIP); the rest of the bytes is for the names of the
 * fields, the token and what the platform adds.
 */
const longestName = 128
const longestReason = 256
const longestAvatar = 512

/** `call.ring`: the device rings. */
export function ringFields(call: RingingCall, callToken: string): PushFields {
  const { caller, callee } = call
  return {
    event: 'call.ring',
    workspace_id: call.workspace_id,
    call_id: call.call_id,
    call_token: callToken,
    ws_url: call.ws_url,
    ring_timeout_secs: call.ring_timeout_secs,
    caller_number: cut(caller.number, longestName),
    caller_name: cut(caller.name ?? '', longestName),
    // Half an address leads nowhere.
    caller_avatar: caller.avatar !== null && caller.avatar.length <= longestAvatar ? caller.avatar : null,
    callee_number: cut(callee.number, longestName),
    callee_name: cut(callee.name ?? '', longestName),
    is_transfer: call.is_transfer,
    transfer_reason: call.transfer_reason === null ? null : cut(call.transfer_reason, longestReason),
    is_video: call.is_video,
  }
}

/** `call.canceled` before an answer of this device, `call.ended` after it. */
export function endFields(
  call: Pick<RingingCall, 'workspace_id' | 'call_id'>,
  event: 'call.canceled' | 'call.ended',
  reason: string,
  at: Date,
): PushFields {
  const { workspace_id, call_id } = call
  return { event, workspace_id, call_id, reason: cut(reason, longestReason), timestamp: at.toISOString() }
}

/** The body of a notification of APNs. `aps` is empty for a VoIP push, which the app turns into a call by itself. */
export function apnsBody(kind: 'ring' | 'end', fields: PushFields): object {
  return { aps: kind === 'ring' ? {} : { 'content-available': 1 }, ...fields }
}

/** The data of a message of FCM, in which every value is a string. */
export function fcmData(fields: PushFields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === null ? '' : String(value)]),
  )
}

/** Cuts between characters, so that no half of a surrogate pair is left. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : [...text].slice(0, length).join('')
}
