/** A client leg: a leg whose far end is an app. Sends events of the leg to the app, and runs the app's commands. */
import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import type { LegOffer } from '../../../adapters/freeswitch/leg-answerer.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import type { CallTokenClaims } from '../model/call-token.js'
import { type AppControls, type AppLink, AppRefused, type FreshToken } from './client-leg-registry.js'
import { TrickledAnswer } from './trickled-answer.js'
import type { AnsweredLeg } from '../model/answered-leg.js'
import { type ClientLegEnd, causeOfClientEnd, clientEndOf } from '../model/termination.js'

export interface ClientLegServices {
  /** A fresh call token for reconnecting. */
  token(claims: CallTokenClaims): FreshToken
  /** Call control once the app has the call. */
  readonly callControl: ClientCallControl
  /** How long an app may be disconnected from an answered call, in milliseconds. */
  readonly graceMs: number
  readonly log: Logger
}

/** Sent to the app with the offer. */
export interface OfferDetails {
  from_avatar: string | null
  transfer_reason: string | null
}

interface ClientLegEvents {
  answered: []
  /** The user rejects the call on all devices. */
  rejected: []
  over: [end: ChannelEnd]
}

/** A token is valid for 15 minutes; apps in a call get a new one at this interval. */
const tokenMs = 10 * 60_000

const maxSdpChars = 65_536

const offersVideo = /^m=video [1-9]/m

/** Required parts of every answer. Without the last two the switch would answer a call without media. */
const answerParts = [/^v=0\r?\n/, /^m=audio /m, /^a=ice-ufrag:/m, /^a=fingerprint:/m]

export class ClientLeg extends EventEmitter<ClientLegEvents> {
  private state: 'ringing' | 'answering' | 'talking' | 'over' = 'ringing'
  private link: AppLink | null = null
  private offer: LegOffer | undefined
  private answer: TrickledAnswer | undefined
  private reason: ClientLegEnd | undefined
  private grace: NodeJS.Timeout | undefined
  private tokens: NodeJS.Timeout | undefined
  /** Credential of the app's last token. */
  private credential: string | undefined

  constructor(
    /** `fs_uuid` is the channel's id. */
    readonly claims: CallTokenClaims,
    readonly leg: CallLeg,
    private current: Channel,
    private readonly details: OfferDetails,
    private readonly services: ClientLegServices,
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

  get isBridged(): boolean {
    return this.state === 'talking'
  }

  /**
   * Attaches the app's socket, replacing a previous one.
   * @param credential the credential that the app's token expires with
   */
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
    const { callControl } = this.services
    const inBridge = <A extends unknown[]>(work: (...args: A) => Promise<void>) =>
      own(async (...args: A) => {
        if (this.state !== 'talking') throw new AppRefused('wrong_state', 'the call is not answered here')
        await work(...args)
      })
    return {
      answer: own((sdp) => this.take(sdp)),
      candidate: own((candidate) => this.answer?.add(candidate)),
      hangUp: own(async () => this.hangUp()),
      reject: own(async () => this.reject()),
      dtmf: inBridge(async (digits) => callControl.dtmf(this, digits)),
      mute: inBridge(async (on) => {
        await callControl.mute(this, on)
        link.send({ event: 'call.muted', data: { muted: on } })
      }),
      hold: inBridge(async () => {
        await callControl.hold(this)
        link.send({ event: 'call.held', data: {} })
      }),
      unhold: inBridge(async () => {
        await callControl.unhold(this)
        link.send({ event: 'call.unheld', data: {} })
      }),
      transfer: inBridge(async (target, reason) => callControl.transfer(this, target, reason)),
      camera: inBridge(async (on) => {
        callControl.camera(this, on)
        return Promise.resolve()
      }),
      gone: () => {
        if (this.link === link) this.lost()
      },
    }
  }

  /** The switch offers the leg, or renews the offer for the same peer connection. */
  offered(offer: LegOffer): void {
    this.offer = offer
    const { sdp } = offer
    this.link?.send({ event: 'call.offer', data: { sdp, is_video: offersVideo.test(sdp), ...this.details } })
  }

  /** The other side's camera was turned on or off. */
  seesCamera(on: boolean): void {
    this.link?.send({ event: 'call.camera', data: { on } })
  }

  /** The app has the call now, and keeps it if its socket is lost. */
  win(): void {
    if (this.state === 'over') return
    this.state = 'talking'
    this.link?.send({ event: 'call.answered', data: this.freshToken() })
    clearInterval(this.tokens)
    this.tokens = setInterval(() => this.sendToken(), tokenMs)
    if (!this.link) this.waitForApp()
  }

  /** The app is back with the same peer connection. */
  sendToken(): void {
    this.link?.send({ event: 'call.token', data: this.freshToken() })
  }

  /** Another leg of the app held the call when this one replaced it. */
  sendHeld(): void {
    this.link?.send({ event: 'call.held', data: {} })
  }

  /** Recovers the leg after the connection to the switch was lost. */
  recover(channel: Channel): void {
    this.current = channel
    this.follow(channel)
    if (!this.isBridged) this.win()
    else if (!this.link) this.waitForApp()
  }

  /** The leg was lost, with the connection to the switch or since. */
  forget(): void {
    this.pause()
    this.state = 'over'
    this.leaveLink(this.reason ?? 'failed')
    this.removeAllListeners()
  }

  /** Hangs up the leg for this reason. */
  async release(reason: ClientLegEnd): Promise<void> {
    this.reason ??= reason
    await this.channel.hangUp(causeOfClientEnd(reason))
  }

  /** Another leg is about to replace this one. */
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
    await this.release('hangup')
  }

  private async reject(): Promise<void> {
    if (this.state === 'talking') return this.hangUp()
    this.emit('rejected')
    await this.release('rejected')
  }

  private lost(): void {
    this.link = null
    if (this.state === 'talking') this.waitForApp()
    else this.endLeg('hangup')
  }

  private endLeg(reason: ClientLegEnd): void {
    this.release(reason).catch((error: unknown) => {
      this.services.log.warn(
        { event: 'client_leg.hangup_failed', err: error },
        'hanging up a client leg failed',
      )
    })
  }

  private leaveLink(reason: ClientLegEnd): void {
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
    this.leaveLink(this.reason ?? clientEndOf(end))
    this.emit('over', end)
    this.removeAllListeners()
  }

  private pause(): void {
    clearTimeout(this.grace)
    clearInterval(this.tokens)
    this.answer?.stop()
  }
}

export interface ClientCallControl {
  /** Sends DTMF to the other side. */
  dtmf(clientLeg: ClientLeg, digits: string): Promise<void>
  /** Mutes the user. */
  mute(clientLeg: ClientLeg, on: boolean): Promise<void>
  /** Plays music to the other side, and nothing to the user. */
  hold(clientLeg: ClientLeg): Promise<void>
  unhold(clientLeg: ClientLeg): Promise<void>
  /** True if this leg holds the other side. */
  isHolding(clientLeg: ClientLeg): boolean
  /** Notifies the app on the other side, if it is one, of the user's camera. */
  camera(clientLeg: ClientLeg, on: boolean): void
  /** @throws {AppRefused} if there is no such target, or it takes no calls */
  transfer(clientLeg: ClientLeg, target: string, reason: string | undefined): Promise<void>
  /** True if another leg can replace this one. */
  mayReplace(clientLeg: ClientLeg): boolean
  /** Replaces a leg by another one of the same user, and hangs it up. */
  replace(clientLeg: ClientLeg, next: AnsweredLeg): Promise<void>
}
