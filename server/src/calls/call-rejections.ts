/** Rejecting a call that rings, without its socket: from a notification, say. */
import type { Logger } from 'pino'
import type { Owner } from '../database/workspace-table.js'
import type { BearerActor } from '../http/endpoint.js'
import { notFound } from '../http/errors.js'
import type { Person } from './apps/app-seats.js'
import type { Rings } from './apps/rings.js'

export class CallRejections {
  constructor(
    private readonly rings: Pick<Rings, 'find'>,
    private readonly log: Logger,
  ) {}

  /**
   * The person wants none of this call, on no device.
   * @throws 404 when it does not ring for them, or the token is that of another call
   */
  reject(workspace: Owner, actor: BearerActor, callId: string, reason: string | undefined) {
    const isOfThisCall = actor.kind !== 'call_token' || actor.call_id === callId
    const ring = isOfThisCall ? this.rings.find({ call_id: callId, ...personOf(actor) }) : undefined
    if (ring?.request.call.workspace_id !== workspace.id)
      throw notFound(`Call ${callId} does not ring for you`)
    this.log.info({ call: callId, reason }, 'a call is rejected')
    ring.reject()
    return { call_id: callId, status: 'rejected' as const }
  }
}

function personOf(actor: BearerActor): Person {
  if (actor.kind === 'agent') return { kind: 'agent', sub: actor.id }
  return { kind: actor.kind === 'client' ? 'client' : actor.person, sub: actor.sub }
}
