/** Sends incoming call notices to all apps of a user, each with its own call token, and cancels them. */
import type { AppUser } from '../model/app-user.js'
import type { RouteDialOptions } from '../dialling/dial-options.js'
import type { Call } from '../model/call.entity.js'
import { otherParty } from '../dialling/team-members.js'
import type { ClientLegEnd } from '../model/termination.js'

interface Party {
  number: string
  name: string
}

/** An incoming call of a user. */
export interface IncomingCallNotice {
  readonly workspace_id: string
  readonly call_id: string
  readonly person: AppUser
  readonly from: Party
  readonly to: Party
  readonly ringTimeout: number
  /** Set if the call comes by transfer. */
  readonly transfer: { readonly reason: string | null } | null
  readonly isVideo: boolean
}

/**
 * Creates a call token and the channel id of its leg.
 * @param credential the credential that the token expires with; undefined if unknown
 */
export type TokenMaker = (credential: string | undefined) => { token: string; channelId: string }

/** One channel for notices. Its methods must not throw, and are not awaited. */
export interface NotificationChannel {
  ring(notice: IncomingCallNotice, makeToken: TokenMaker): void
  /** @param answeredBy the channel of the app that has answered; null if none has */
  cancel(notice: IncomingCallNotice, reason: ClientLegEnd, answeredBy: string | null): void
}

export class IncomingCallNotifier {
  constructor(
    private readonly channels: { streams: NotificationChannel; devices: NotificationChannel },
    private readonly token: (
      notice: IncomingCallNotice,
      ...of: Parameters<TokenMaker>
    ) => ReturnType<TokenMaker>,
  ) {}

  ring(notice: IncomingCallNotice): void {
    this.ringStreams(notice)
    this.channels.devices.ring(notice, (credential) => this.token(notice, credential))
  }

  ringStreams(notice: IncomingCallNotice): void {
    this.channels.streams.ring(notice, (credential) => this.token(notice, credential))
  }

  cancel(notice: IncomingCallNotice, reason: ClientLegEnd, answeredBy: string | null): void {
    const { streams, devices } = this.channels
    for (const bell of [streams, devices]) bell.cancel(notice, reason, answeredBy)
  }
}

/** What the called user is shown. */
export function noticeOf(call: Call, person: AppUser, options: RouteDialOptions): IncomingCallNotice {
  const { number } = otherParty(call)
  const isRungByScript = options.role === 'destination'
  return {
    ...{ workspace_id: call.workspace_id, call_id: call.id, person },
    from: isRungByScript
      ? { number, name: options.callerName }
      : { number: call.from_number, name: call.from_name },
    to:
      isRungByScript && call.line === 'called'
        ? { number: call.from_number, name: call.from_name }
        : { number: call.to_number, name: call.to_name },
    ringTimeout: options.ringTimeout,
    transfer: options.transfer ?? null,
    isVideo: call.is_video,
  }
}
