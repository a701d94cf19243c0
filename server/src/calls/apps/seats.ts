/** All client legs of this server: apps connect with a token, and reconnect after their socket was lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel } from '../../switch/channel.js'
import type { Switchboard } from '../../switch/switchboard.js'
import type { CallLeg } from '../call-leg.entity.js'
import type { CallStore } from '../call-store.js'
import { type AppControls, type AppLink, AppRefused, type AppSeats, type SeatClaims } from './app-seats.js'
import { type Ring, type RingRequest, personOfLeg } from './ring.js'
import type { Rings } from './rings.js'
import { Seat, type SeatServices } from './seat.js'

interface Services {
  readonly store: Pick<CallStore, 'load' | 'legsOfApps'>
  readonly switchboard: Pick<Switchboard, 'known' | 'newChannelId'>
  readonly rings: Rings
  readonly seat: SeatServices
  readonly newRing: (request: RingRequest) => Ring
  /** True once the calls of the previous process are recovered. */
  readonly isReady: () => boolean
}

/** An app may connect before its call rings, or before it is recovered after a restart. */
const comingMs = 5_000

const lookMs = 100

/** For a recovered leg, whose app already has the call. */
const noDetails = { from_avatar: null, transfer_reason: null }

export class Seats implements AppSeats {
  private readonly byChannel = new Map<string, Seat>()

  constructor(private readonly services: Services) {}

  /** A live client leg, by its channel. */
  find(channelId: string): Seat | undefined {
    return this.byChannel.get(channelId)
  }

  keep(seat: Seat): void {
    if (seat.isOver) return
    const { id } = seat.channel
    this.byChannel.set(id, seat)
    seat.once('over', () => {
      for (const [name, one] of this.byChannel) if (one === seat) this.byChannel.delete(name)
    })
  }

  async connect(claims: SeatClaims, link: AppLink): Promise<AppControls> {
    const until = Date.now() + comingMs
    for (;;) {
      const seat = this.byChannel.get(claims.fs_uuid)
      if (seat?.isTalking) {
        return link.resume ? resume(seat, link, claims) : this.renew(seat, link, claims)
      }
      const ring = this.services.rings.find(claims)
      if (ring) return ring.sit(claims, link)
      const call = await this.services.store.load(claims.call_id)
      if (call?.workspace_id !== claims.workspace_id)
        throw new AppRefused('call_not_found', 'there is no such call')
      if (!call.live) throw new AppRefused('call_over', 'the call has ended')
      if (Date.now() > until) {
        if (!this.services.isReady()) throw new AppRefused('not_ready', 'the server has only just started')
        throw new AppRefused('call_over', 'the call does not ring for you any more')
      }
      await sleep(lookMs)
    }
  }

  /**
   * After recovery: rebuilds the client legs of recovered calls, whose apps are about to reconnect, and drops those
   * whose channels are gone.
   */
  async restore(): Promise<void> {
    const { store, switchboard } = this.services
    for (const leg of await store.legsOfApps()) {
      const channel = switchboard.known(leg.channel_id)
      // The row may lack an answer that the switch knows of.
      if (channel?.state !== 'answered') continue
      const seat = this.byChannel.get(leg.channel_id) ?? this.seatOf(leg, channel)
      if (!seat || (seat.isTalking && seat.channel === channel)) continue
      this.keep(seat)
      seat.takeUp(channel)
    }
    for (const [id, seat] of [...this.byChannel]) {
      if (switchboard.known(seat.channel.id) === seat.channel) continue
      this.byChannel.delete(id)
      seat.forget()
    }
  }

  /**
   * The app has lost its peer connection, as after a reload: it gets another leg, which replaces the first one when the
   * app has answered.
   */
  private async renew(seat: Seat, link: AppLink, brought: SeatClaims): Promise<AppControls> {
    const { store, switchboard, seat: services, newRing } = this.services
    const { claims, leg } = seat
    const { talk, graceMs, log } = services
    const call = await store.load(claims.call_id)
    if (!call || !talk.mayReplace(seat)) {
      throw new AppRefused('unavailable', 'this part in the call can only be resumed')
    }
    seat.leave()
    const talkedMs = Date.now() - (leg.answered_at ?? leg.created_at).getTime()
    const ring = newRing({
      ...{ call, person: claims, mode: claims.mode, role: leg.role, number: leg.number },
      until: Date.now() + graceMs,
      maxDuration: Math.max(1, call.max_duration - Math.floor(talkedMs / 1000)),
      afterBridge: 'hangup',
      offer: noDetails,
    })
    const { credential } = brought
    const controls = await ring.sit(
      { ...claims, ...(credential && { credential }), fs_uuid: switchboard.newChannelId() },
      link,
    )
    ring.outcome
      .then(async (reached) => {
        if (reached === 'rejected') return
        const next = this.byChannel.get(reached.channel.id)
        await talk.replace(seat, reached)
        // If the app is disconnected now, it reconnects with its previous token.
        if (!next || next.isOver) return
        this.byChannel.set(seat.channel.id, next)
        if (talk.isHolding(next)) next.tellHeld()
      })
      .catch(async (error: unknown) => {
        log.warn({ err: error }, 'reconnecting an app to its call failed')
        await ring.end('failed')
      })
    return controls
  }

  private seatOf(leg: CallLeg, channel: Channel): Seat | null {
    const person = personOfLeg(leg)
    if (!person) return null
    const { workspace_id, call_id, channel_id: fs_uuid } = leg
    return new Seat(
      { ...person, workspace_id, call_id, fs_uuid },
      leg,
      channel,
      noDetails,
      this.services.seat,
    )
  }
}

function resume(seat: Seat, link: AppLink, { credential }: SeatClaims): AppControls {
  const controls = seat.attach(link, credential)
  seat.tellToken()
  return controls
}
