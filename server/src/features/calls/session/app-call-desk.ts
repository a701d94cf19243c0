/**
 * What all calls made by apps have in common: they are accepted like any call of the API, wait for their app, and
 * admit it by a call token.
 */
import type { AppUser } from '../model/app-user.js'
import { newId } from '../../../infrastructure/database/ids.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { CallTokens } from '../../../infrastructure/tokens/call-tokens.js'
import type { Reachable } from '../routing/call-routing.js'
import type { Call } from '../model/call.entity.js'
import { type AcceptedCall, type OutboundCalls, newCall } from './outbound-calls.js'

/** The app that a call is made for. */
interface CallingApp extends AppUser {
  /**
   * The call token is valid only as long as this credential; undefined for the operator's, which only a restart
   * revokes.
   */
  readonly credential: string | undefined
  readonly isVideo: boolean
}

/** What its app gets. */
export interface MadeAppCall {
  call_id: string
  /** The WebSocket of the call. */
  ws_url: string
  call_token: string
}

/** What differs between the calls that apps make. */
export type AppCourse = Pick<
  Call,
  | 'from_number'
  | 'from_name'
  | 'to_number'
  | 'to_name'
  | 'agent_id'
  | 'client_sub'
  | 'program'
  | 'script'
  | 'call_flow_id'
  | 'call_flow_version_id'
> & { from: PhoneNumber | null; goesTo: Reachable | null }

/** The stored part of the answer: a repeated request gets it with a new token. */
interface Accepted {
  call_id: string
  /** The channel that the app's leg will have. */
  fs_uuid: string
}

interface Services {
  outbound: OutboundCalls
  tokens: CallTokens
  newChannelId(): string
  callSocket(workspaceId: string, callId: string): string
}

export class AppCallDesk {
  constructor(private readonly services: Services) {}

  /**
   * Accepts a call, whose app has 30 seconds to connect to its socket.
   * @param key for idempotency; see {@link ownKey}
   * @param courseOf checks the request; not called for a repeated one
   * @throws 403 and 429 as {@link OutboundCalls.admit} and `make`
   */
  async make(
    workspace: Owner,
    { kind, sub, credential, isVideo }: CallingApp,
    request: object,
    key: string | undefined,
    courseOf: () => Promise<AppCourse>,
  ): Promise<MadeAppCall> {
    const { outbound, tokens } = this.services
    const { call_id, fs_uuid } = await outbound.make(workspace, key, request, async () =>
      this.accept(workspace, await courseOf(), isVideo),
    )
    const claims = { sub, kind, workspace_id: workspace.id, call_id, fs_uuid }
    return {
      call_id,
      ws_url: this.services.callSocket(workspace.id, call_id),
      call_token: tokens.sign({ ...claims, ...(credential !== undefined && { credential }) }).token,
    }
  }

  private async accept(
    workspace: Owner,
    { from, goesTo, ...course }: AppCourse,
    is_video: boolean,
  ): Promise<AcceptedCall<Accepted>> {
    const { mayLast: max_duration, hold } = await this.services.outbound.admit(workspace, goesTo, from)
    const call: Call = {
      ...newCall(this.services.outbound.cell),
      id: newId('call'),
      workspace_id: workspace.id,
      direction: 'outbound',
      ...course,
      phone_number_id: from?.id ?? null,
      sip_account_id: null,
      is_video,
      max_duration,
      line: 'caller',
    }
    const answer = { call_id: call.id, fs_uuid: this.services.newChannelId() }
    return { call, hold, jobId: newId('job'), answer }
  }
}
