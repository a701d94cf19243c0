/**
 * Seats: legs of a call whose far end is an app that speaks the per-call WebSocket. This is what the socket and the
 * calls know of one another.
 */

/** Whose app it is: an agent (`sub` is its id), or a user of a customer's app (`sub` of their JWT). */
export interface Person {
  readonly kind: 'agent' | 'client'
  readonly sub: string
}

/** What an app's call token says. */
export interface SeatClaims extends Person {
  readonly workspace_id: string
  readonly call_id: string
  /** The switch's channel that the app's leg has, or will have. */
  readonly fs_uuid: string
  /** Of a supervisor's seat. */
  readonly mode?: 'listen' | 'whisper' | 'barge'
  /** What the token comes from, and ends with. */
  readonly credential?: string
}

/** Why an app's part in a call is over. */
export type SeatEnd =
  /** The talk is over: somebody hung up. */
  | 'hangup'
  /** Another device, or another person, has answered. */
  | 'answered_elsewhere'
  /** The person has rejected the call, here or on another device. */
  | 'rejected'
  | 'caller_hangup'
  /** Nobody answered in time. */
  | 'timeout'
  /** Another socket of the same app has taken the seat. */
  | 'replaced'
  /** The person has handed the call over to somebody else. */
  | 'transferred'
  | 'failed'

/** What the server tells an app. */
export type ServerEvent =
  | {
      event: 'call.offer'
      data: { sdp: string; is_video: boolean; from_avatar: string | null; transfer_reason: string | null }
    }
  /** The app has the call; the token is for coming back to it. `expires_in`: seconds. */
  | { event: 'call.answered'; data: FreshToken }
  | { event: 'call.token'; data: FreshToken }
  | { event: 'call.held' | 'call.unheld'; data: object }
  | { event: 'call.muted'; data: { muted: boolean } }
  /** The other side's camera. */
  | { event: 'call.camera'; data: { on: boolean } }
  | { event: 'call.ice_candidate'; data: IceCandidate }
  | { event: 'call.ended'; data: { reason: SeatEnd } }
  | { event: 'error'; data: { code: string; message: string } }

export interface FreshToken {
  call_token: string
  expires_in: number
}

/** As `RTCPeerConnection` gives it (W3C WebRTC, RTCIceCandidateInit); an empty candidate is the last. */
export interface IceCandidate {
  candidate: string
  sdpMid?: string | null
  sdpMLineIndex?: number | null
}

/** An app's socket. */
export interface AppLink {
  /** Harmless when the socket is closed. */
  send(event: ServerEvent): void
  close(code: number, reason: string): void
  /** The app still has the peer connection of an earlier socket: it needs no new offer. */
  readonly resume: boolean
}

/** What an app does in its call; all throw {@link AppRefused} for what cannot be done now. */
export interface AppControls {
  /** Answers the offer with the app's SDP. */
  answer(sdp: string): Promise<void>
  candidate(candidate: IceCandidate): Promise<void>
  /** Leaves the call, or the ringing of this device alone. */
  hangUp(): Promise<void>
  /** Refuses the call on all devices of the person. */
  reject(reason: string | undefined): Promise<void>
  dtmf(digits: string): Promise<void>
  mute(on: boolean): Promise<void>
  hold(): Promise<void>
  unhold(): Promise<void>
  /** @param target an agent's username, an extension, a team's id, a SIP account's id or `client:<sub>` */
  transfer(target: string, reason: string | undefined): Promise<void>
  camera(on: boolean): Promise<void>
  /** The socket is lost or closed. Nothing else is called after it. */
  gone(): void
}

export interface AppSeats {
  /** An app has come with its token. @throws {AppRefused} when there is no such call, or nobody waits for the app */
  connect(claims: SeatClaims, link: AppLink): Promise<AppControls>
}

/** What an app is told instead of what it wanted: `error {code, message}` on its socket. */
export class AppRefused extends Error {
  constructor(
    readonly code:
      | 'call_not_found'
      | 'call_over'
      /** The server has just started and does not know its calls yet: the app may come again in a second. */
      | 'not_ready'
      | 'wrong_state'
      | 'bad_sdp'
      | 'bad_target'
      | 'unavailable',
    message: string,
  ) {
    super(message)
  }
}
