/** Rejects a ringing call without its socket, for example from a notification. */
import type { AppUser } from '../model/app-user.js'
import type { Logger } from 'pino'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { BearerActor } from '../../../infrastructure/http/endpoint.js'
import { notFound } from '../../../infrastructure/http/errors.js'
import type { IncomingCalls } from '../clients/incoming-calls.js'
import type { CallSessions } from '../running/call-sessions.js'
import type { LiveCalls } from '../session/live-calls.js'

export class CallRejections {
  constructor(
    private readonly incomingCalls: Pick<IncomingCalls, 'find'>,
    private readonly sessions: Pick<CallSessions, 'isFresh'>,
    private readonly live: Pick<LiveCalls, 'until'>,
    private readonly log: Logger,
  ) {}

  /**
   * Rejects the call on all devices of the person. After a restart it waits until the call rings again.
   * @throws 503 when that takes too long, 404 when the call does not ring for the person, or the token is another
   * call's
   */
  async reject(workspace: Owner, actor: BearerActor, callId: string, reason: string | undefined) {
    const isOfThisCall = actor.kind !== 'call_token' || actor.call_id === callId
    const find = () => this.incomingCalls.find({ call_id: callId, ...personOf(actor) })
    if (isOfThisCall) await this.live.until(() => find() !== undefined || !this.sessions.isFresh)
    const ring = isOfThisCall ? find() : undefined
    if (ring?.request.call.workspace_id !== workspace.id)
      throw notFound(`Call ${callId} does not ring for you`)
    this.log.info({ event: 'call.rejected', call: callId, reason }, 'a call is rejected')
    ring.reject()
    return { call_id: callId, status: 'rejected' as const }
  }
}

function personOf(actor: BearerActor): AppUser {
  if (actor.kind === 'agent') return { kind: 'agent', sub: actor.id }
  return { kind: actor.kind === 'client' ? 'client' : actor.person, sub: actor.sub }
}
