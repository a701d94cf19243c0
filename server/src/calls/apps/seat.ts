/** A seat: a leg of a call whose far end is an app. It tells the app what becomes of the leg, and does what the app asks. */
import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import type { Channel } from '../../switch/channel.js'
import type { ChannelEnd } from '../../switch/channel-end.js'
import type { LegOffer } from '../../switch/leg-answerer.js'
import type { CallLeg } from '../call-leg.entity.js'
import {
  type AppControls,
  type AppLink,
  AppRefused,
  type FreshToken,
  type SeatClaims,
  type SeatEnd,
} from './app-seats.js'
import type { SeatTalk } from './seat-talk.js'
import { TrickledAnswer } from './trickled-answer.js'

export interface SeatServices {
  /** A call token for an app that comes back. */
  token(claims: SeatClaims): FreshToken
  /** What is possible once the app has the call. */
  readonly talk: SeatTalk
  /** How long an app may be away from a call that it has. */
  readonly graceMs: number
  readonly log: Logger
}

/** What an app is shown with the offer. */
export interface OfferDetails {
  from_avatar: string | null
  transfer_reason: string | null
}

interface SeatEvents {
  answered: []
  /** The person wants none of this call, on no device. */
  rejected: []
  over: [end: ChannelEnd]
}

/** A token is valid for 15 minutes; apps in a call get a new one so often. */
const tokenMs = 10 * 60_000

const maxSdpChars = 65_536

const offersVideo = /^m=video [1-9]/m

/** What the SDP of every peer connection has. Without the last two the switch answers a call that has no media. */
const answerParts = [/^v=0\r?\n/, /^m=audio /m, /^a=ice-ufrag:/m, /^a=fingerprint:/m]

export class Seat extends EventEmitter<SeatEvents> {
  private state: 'ringing' | 'answering' | 'talking' | 'over' = 'ringing'
  private link: AppLink | null = null
  private offer: LegOffer | undefined
  private answer: TrickledAnswer | undefined
  private reason: SeatEnd | undefined
  private grace: NodeJS.Timeout | undefined
  private tokens: NodeJS.Timeout | undefined
  /** Of the app's last token. */
  private credential: string | undefined

  constructor(
    /** `fs_uuid` is the channel's id. */
    readonly claims: SeatClaims,
    readonly leg: CallLeg,
    private current: Channel,
    private readonly details: OfferDetails,
    private readonly services: SeatServices,
  ) {
    super()
    this.follow(current)
  }

  get channel(): Channel {
    return this.current
  }

  get isOver(): boolean {
    return this.state === 'over'
  }

  get isTalking(): boolean {
    return this.state === 'talking'
  }

  /** The app's socket, in place of an earlier one. @param credential what the token ends with that the app brought */
  attach(link: AppLink, credential: string | undefined): AppControls {
    this.leaveLink('replaced')
    this.link = link
    this.credential = credential
    clearTimeout(this.grace)
    const own = <A extends unknown[]>(work: (...args: A) => Promise<void> | void) => {
      return async (...args: A): Promise<void> => {
        if (this.link === link) await work(...args)
      }
    }
    const { talk } = this.services
    const inTalk = <A extends unknown[]>(work: (...args: A) => Promise<void>) =>
      own(async (...args: A) => {
        if (this.state !== 'talking') throw new AppRefused('wrong_state', 'the call is not answered here')
        await work(...args)
      })
    return {
      answer: own((sdp) => this.take(sdp)),
      candidate: own((candidate) => this.answer?.add(candidate)),
      hangUp: own(async () => this.hangUp()),
      reject: own(async () => this.reject()),
      dtmf: inTalk(async (digits) => talk.dtmf(this, digits)),
      mute: inTalk(async (on) => {
        await talk.mute(this, on)
        link.send({ event: 'call.muted', data: { muted: on } })
      }),
      hold: inTalk(async () => {
        await talk.hold(this)
        link.send({ event: 'call.held', data: {} })
      }),
      unhold: inTalk(async () => {
        await talk.unhold(this)
        link.send({ event: 'call.unheld', data: {} })
      }),
      transfer: inTalk(async (target, reason) => talk.transfer(this, target, reason)),
      camera: inTalk(async (on) => {
        talk.camera(this, on)
        return Promise.resolve()
      }),
      gone: () => {
        if (this.link === link) this.lost()
      },
    }
  }

  /** The switch offers the leg, or offers it anew for the same peer connection. */
  offered(offer: LegOffer): void {
    this.offer = offer
    const { sdp } = offer
    this.link?.send({ event: 'call.offer', data: { sdp, is_video: offersVideo.test(sdp), ...this.details } })
  }

  /** The other side's camera is on, or off. */
  seesCamera(on: boolean): void {
    this.link?.send({ event: 'call.camera', data: { on } })
  }

  /** The app has the call now, and keeps it when its socket is lost. */
  win(): void {
    if (this.state === 'over') return
    this.state = 'talking'
    this.link?.send({ event: 'call.answered', data: this.freshToken() })
    clearInterval(this.tokens)
    this.tokens = setInterval(() => this.tellToken(), tokenMs)
    if (!this.link) this.waitForApp()
  }

  /** The app is back with the peer connection that it had. */
  tellToken(): void {
    this.link?.send({ event: 'call.token', data: this.freshToken() })
  }

  /** Another leg of the app had the call on hold when this one took its place. */
  tellHeld(): void {
    this.link?.send({ event: 'call.held', data: {} })
  }

  /** The leg is followed again, after the link to the switch was lost. */
  takeUp(channel: Channel): void {
    this.current = channel
    this.follow(channel)
    if (!this.isTalking) this.win()
    else if (!this.link) this.waitForApp()
  }

  /** The leg is lost, with the link to the switch or since. */
  forget(): void {
    this.pause()
    this.state = 'over'
    this.leaveLink(this.reason ?? 'failed')
    this.removeAllListeners()
  }

  /** The app loses the leg for this reason. */
  async letGo(reason: SeatEnd): Promise<void> {
    this.reason ??= reason
    await this.channel.hangUp(causes[reason] ?? 'NORMAL_CLEARING')
  }

  /** Another leg is about to take the place of this one. */
  leave(): void {
    this.leaveLink('replaced')
    this.waitForApp()
  }

  private freshToken(): FreshToken {
    const { claims, credential } = this
    return this.services.token({ ...claims, ...(credential && { credential }) })
  }

  private waitForApp(): void {
    clearTimeout(this.grace)
    this.grace = setTimeout(() => this.endLeg('hangup'), this.services.graceMs)
  }

  private take(sdp: string): void {
    const { offer } = this
    if (!offer || (this.state !== 'ringing' && !offer.isRenewal)) {
      throw new AppRefused('wrong_state', 'there is no offer to answer')
    }
    if (sdp.length > maxSdpChars || !answerParts.every((part) => part.test(sdp))) {
      throw new AppRefused('bad_sdp', 'the answer must be the SDP of a peer connection, with audio')
    }
    if (this.state === 'ringing') this.state = 'answering'
    this.answer?.stop()
    this.answer = new TrickledAnswer(sdp.replace(/\r?\n/g, '\r\n'), (whole) => {
      this.offer = undefined
      offer.answer(whole)
    })
  }

  private async hangUp(): Promise<void> {
    await this.letGo('hangup')
  }

  private async reject(): Promise<void> {
    if (this.state === 'talking') return this.hangUp()
    this.emit('rejected')
    await this.letGo('rejected')
  }

  private lost(): void {
    this.link = null
    if (this.state === 'talking') this.waitForApp()
    else this.endLeg('hangup')
  }

  private endLeg(reason: SeatEnd): void {
    this.letGo(reason).catch((error: unknown) => {
      this.services.log.warn({ err: error }, 'a leg to an app could not be ended')
    })
  }

  private leaveLink(reason: SeatEnd): void {
    this.link?.send({ event: 'call.ended', data: { reason } })
    this.link?.close(1000, reason)
    this.link = null
  }

  private follow(channel: Channel): void {
    channel.once('answered', () => this.emit('answered'))
    channel.once('ended', (end) => this.close(end))
    channel.once('abandoned', () => clearTimeout(this.grace))
    if (channel.end) this.close(channel.end)
  }

  private close(end: ChannelEnd): void {
    this.pause()
    this.state = 'over'
    this.leaveLink(this.reason ?? reasonOf(end.hangupCause))
    this.emit('over', end)
    this.removeAllListeners()
  }

  private pause(): void {
    clearTimeout(this.grace)
    clearInterval(this.tokens)
    this.answer?.stop()
  }
}

/** How a leg is ended, where the cause matters. */
const causes: Partial<Record<SeatEnd, string>> = {
  answered_elsewhere: 'LOSE_RACE',
  rejected: 'CALL_REJECTED',
  caller_hangup: 'ORIGINATOR_CANCEL',
  timeout: 'NO_ANSWER',
  failed: 'NORMAL_TEMPORARY_FAILURE',
}

const reasons: Partial<Record<string, SeatEnd>> = {
  LOSE_RACE: 'answered_elsewhere',
  ORIGINATOR_CANCEL: 'caller_hangup',
  NO_ANSWER: 'timeout',
  NORMAL_CLEARING: 'hangup',
  ALLOTTED_TIMEOUT: 'hangup',
  BLIND_TRANSFER: 'transferred',
  ATTENDED_TRANSFER: 'transferred',
  OUTGOING_CALL_BARRED: 'hangup',
}

/** Why an app's part is over, by how its leg ended when nobody here ended it. */
function reasonOf(hangupCause: string): SeatEnd {
  return reasons[hangupCause] ?? 'failed'
}
