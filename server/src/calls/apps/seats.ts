/** All seats of this server: apps come to them with a token, and come back after their socket was lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel } from '../../switch/channel.js'
import type { Switchboard } from '../../switch/switchboard.js'
import type { CallLeg } from '../call-leg.entity.js'
import type { CallStore } from '../call-store.js'
import { type AppControls, type AppLink, AppRefused, type AppSeats, type SeatClaims } from './app-seats.js'
import { personOfLeg } from './ring.js'
import type { Rings } from './rings.js'
import { Seat, type SeatServices } from './seat.js'

interface Services {
  readonly store: Pick<CallStore, 'load' | 'legsOfApps'>
  readonly switchboard: Pick<Switchboard, 'known'>
  readonly rings: Rings
  readonly seat: SeatServices
}

/** An app may come before the call that it has a token for rings, or is taken up after a restart. */
const comingMs = 5_000

const lookMs = 100

/** Of a seat whose app shows the offer no more: it has the call. */
const noDetails = { is_video: false, from_avatar: null, transfer_reason: null }

export class Seats implements AppSeats {
  private readonly byChannel = new Map<string, Seat>()

  constructor(private readonly services: Services) {}

  /** A seat that lives, by the channel of its leg. */
  find(channelId: string): Seat | undefined {
    return this.byChannel.get(channelId)
  }

  keep(seat: Seat): void {
    if (seat.isOver) return
    const { id } = seat.channel
    this.byChannel.set(id, seat)
    seat.once('over', () => {
      if (this.byChannel.get(id) === seat) this.byChannel.delete(id)
    })
  }

  async connect(claims: SeatClaims, link: AppLink): Promise<AppControls> {
    const until = Date.now() + comingMs
    for (;;) {
      const seat = this.byChannel.get(claims.fs_uuid)
      if (seat?.isTalking) return comeBack(seat, link)
      const ring = this.services.rings.find(claims)
      if (ring) return ring.sit(claims, link)
      const call = await this.services.store.load(claims.call_id)
      if (call?.workspace_id !== claims.workspace_id)
        throw new AppRefused('call_not_found', 'there is no such call')
      if (!call.live) throw new AppRefused('call_over', 'the call has ended')
      if (Date.now() > until) throw new AppRefused('call_over', 'the call does not ring for you any more')
      await sleep(lookMs)
    }
  }

  /**
   * After the calls were taken up: legs that apps have in them are seats again, whose apps are on their way back. Seats
   * of channels that are gone are forgotten.
   */
  async restore(): Promise<void> {
    const earlier = new Map(this.byChannel)
    this.byChannel.clear()
    for (const leg of await this.services.store.legsOfApps()) {
      const channel = this.services.switchboard.known(leg.channel_id)
      if (!channel || channel.end) continue
      const known = earlier.get(leg.channel_id)
      earlier.delete(leg.channel_id)
      const seat = known ?? this.seatOf(leg, channel)
      if (!seat) continue
      this.keep(seat)
      seat.takeUp(channel)
    }
    for (const seat of earlier.values()) seat.forget()
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

function comeBack(seat: Seat, link: AppLink): AppControls {
  // TODO renew
  const controls = seat.attach(link)
  seat.tellToken()
  return controls
}
