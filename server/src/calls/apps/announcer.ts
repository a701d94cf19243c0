/** Tells all apps of a person that a call rings for them, each with a token of its own, and that it rings no more. */
import type { Call } from '../call.entity.js'
import type { HuntOptions } from '../hunt.js'
import { otherParty } from '../team-members.js'
import type { Person, SeatEnd } from './app-seats.js'

interface Party {
  number: string
  name: string
}

/** A call that rings. */
export interface Notice {
  readonly workspace_id: string
  readonly call_id: string
  readonly person: Person
  readonly from: Party
  readonly to: Party
  readonly ringTimeout: number
  /** Set when somebody hands the call over. */
  readonly transfer: { readonly reason: string | null } | null
  readonly isVideo: boolean
}

/**
 * Makes a call token, and names the channel that its leg will have.
 * @param credential what the token ends with; undefined where that is not known
 */
export type TokenMaker = (credential: string | undefined) => { token: string; channelId: string }

/** One way to tell apps. What it does must not throw; nobody waits for it. */
export interface Bell {
  ring(notice: Notice, makeToken: TokenMaker): void
  /** @param answeredBy the channel of the app that has answered; null when none has */
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

/** What a person is shown who is rung. */
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
