/** Who manages a workspace, as the caller of a test call in the browser. */
import type { ManagingActor } from '../../../infrastructure/http/endpoint.js'

/**
 * An API key, or the operator, calls as an app user whose name contains a colon. No customer's token can name such a
 * user, so no app gets a notice of the call.
 */
export function callerOf(actor: ManagingActor): { kind: 'agent' | 'client'; sub: string; name: string } {
  switch (actor.kind) {
    case 'agent':
      return { kind: 'agent', sub: actor.id, name: actor.username }
    case 'api_key':
      return { kind: 'client', sub: `key:${actor.sid}`, name: actor.sid }
    case 'operator':
      return { kind: 'client', sub: 'operator:', name: 'operator' }
  }
}
