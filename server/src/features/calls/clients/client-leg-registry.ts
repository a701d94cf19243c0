/**
 * Client legs: legs of a call whose far end is an app on the per-call WebSocket. Shared types of the socket and the
 * calls.
 */
import type { CallTokenClaims } from '../model/call-token.js'
import type { ClientLegEnd } from '../model/termination.js'

/** Events from the server to an app. */
export type ServerEvent =
  | {
      event: 'call.offer'
      data: { sdp: string; is_video: boolean; from_avatar: string | null; transfer_reason: string | null }
    }
  /** The app has the call; with the token it can reconnect. `expires_in`: seconds. */
  | { event: 'call.answered'; data: FreshToken }
  | { event: 'call.token'; data: FreshToken }
  | { event: 'call.held' | 'call.unheld'; data: object }
  | { event: 'call.muted'; data: { muted: boolean } }
  /** The other side's camera. */
  | { event: 'call.camera'; data: { on: boolean } }
  | { event: 'call.ice_candidate'; data: IceCandidate }
  | { event: 'call.ended'; data: { reason: ClientLegEnd } }
  | { event: 'error'; data: { code: string; message: string } }

export interface FreshToken {
  call_token: string
  expires_in: number
}

/** As provided by `RTCPeerConnection` (W3C WebRTC, RTCIceCandidateInit); an empty candidate is the last. */
export interface IceCandidate {
  candidate: string
  sdpMid?: string | null
  sdpMLineIndex?: number | null
}

/** An app's socket. */
export interface AppLink {
  /** Does nothing when the socket is closed. */
  send(event: ServerEvent): void
  close(code: number, reason: string): void
  /** The app still has the peer connection of its previous socket, so it needs no new offer. */
  readonly resume: boolean
}

/** Call control of an app. All throw {@link AppRefused} for what is not possible now. */
export interface AppControls {
  /** Answers the offer with the app's SDP. */
  answer(sdp: string): Promise<void>
  candidate(candidate: IceCandidate): Promise<void>
  /** Hangs up, or stops ringing on this device alone. */
  hangUp(): Promise<void>
  /** Rejects the call on all devices of the user. */
  reject(reason: string | undefined): Promise<void>
  dtmf(digits: string): Promise<void>
  mute(on: boolean): Promise<void>
  hold(): Promise<void>
  unhold(): Promise<void>
  /** @param target an agent's username, an extension, a team's id, a SIP account's id or `client:<sub>` */
  transfer(target: string, reason: string | undefined): Promise<void>
  camera(on: boolean): Promise<void>
  /** The socket is lost or closed. No other method is called after it. */
  gone(): void
}

export interface ClientLegRegistry {
  /**
   * An app connects with its token.
   * @throws {AppRefused} if there is no such call, or it does not expect the app
   */
  connect(claims: CallTokenClaims, link: AppLink): Promise<AppControls>
}

/** Error response to an app: `error {code, message}` on its socket. */
export class AppRefused extends Error {
  constructor(
    readonly code:
      | 'call_not_found'
      | 'call_over'
      /** The server has just started and has not recovered its calls yet: the app may retry in a second. */
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
