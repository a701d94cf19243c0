/** A callback in a call's timeline (event `call.callback`). */
import type { CallbackExchange, CallbackFailure } from '../../infrastructure/callbacks/callback-client.js'

/** What the server was asked for. */
export type CallbackKind = 'contact_lookup' | 'json_call_action' | 'ivr'

interface More {
  /** The node of the flow that asked. */
  node?: string
  /** What of the answer means nothing. */
  ignored?: readonly string[]
}

/** @param failed why the exchange was of no use; null when it was */
export function callbackDetails(
  kind: CallbackKind,
  exchange: CallbackExchange,
  failed: CallbackFailure | null,
  { node, ignored = [] }: More = {},
): object {
  return {
    kind,
    ...(node !== undefined && { node_id: node }),
    ...exchange,
    error: failed?.error ?? null,
    message: failed?.message ?? null,
    ...(ignored.length > 0 && { ignored }),
  }
}
