/** Sends incoming call notices to all apps of a user, each with its own call token, and cancels them. */
import type { Call } from '../call.entity.js'
import type { HuntOptions } from '../hunt.js'
import { otherParty } from '../team-members.js'
import type { Person, SeatEnd } from './app-seats.js'

interface Party {
  number: string
  name: string
}

/** An incoming call of a user. */
export interface Notice {
  readonly workspace_id: string
  readonly call_id: string
  readonly person: Person
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
export interface Bell {
  ring(notice: Notice, makeToken: TokenMaker): void
  /** @param answeredBy the channel of the app that has answered; null if none has */
  cancel(notice: Notice, reason: SeatEnd, answeredBy: string | null): void
}

export class Announcer {
  constructor(
    private readonly bells: { streams: Bell; devices: Bell },
    private readonly token: (notice: Notice, ...of: Parameters<TokenMaker>) => ReturnType<TokenMaker>,
  ) {}

  ring(notice: Notice): void {
    this.ringStreams(notice)
    this.bells.devices.ring(notice, (credential) => this.token(notice, credential))
  }

  ringStreams(notice: Notice): void {
    this.bells.streams.ring(notice, (credential) => this.token(notice, credential))
  }

  cancel(notice: Notice, reason: SeatEnd, answeredBy: string | null): void {
    const { streams, devices } = this.bells
    for (const bell of [streams, devices]) bell.cancel(notice, reason, answeredBy)
  }
}

/** What the called user is shown. */
export function noticeOf(call: Call, person: Person, options: HuntOptions): Notice {
  const { number } = otherParty(call)
  const isRungByProgram = options.role === 'operator'
  return {
    ...{ workspace_id: call.workspace_id, call_id: call.id, person },
    from: isRungByProgram
      ? { number, name: options.callerName }
      : { number: call.from_number, name: call.from_name },
    to:
      isRungByProgram && call.line === 'called'
        ? { number: call.from_number, name: call.from_name }
        : { number: call.to_number, name: call.to_name },
    ringTimeout: options.ringTimeout,
    transfer: options.transfer ?? null,
    isVideo: call.is_video,
  }
}
