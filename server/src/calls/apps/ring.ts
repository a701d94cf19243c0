/** Rings one user for a call: their apps connect, each with a client leg, and the first answer wins. */
import { isDuplicate } from '../../database/database.js'
import type { Channel } from '../../switch/channel.js'
import type { Switchboard } from '../../switch/switchboard.js'
import type { AgentClaims } from '../agent-claims.js'
import type { CallLeg, LegRole } from '../call-leg.entity.js'
import type { CallStore } from '../call-store.js'
import type { Call } from '../call.entity.js'
import type { Reached } from '../hunt.js'
import {
  type AppControls,
  type AppLink,
  AppRefused,
  type Person,
  type SeatClaims,
  type SeatEnd,
} from './app-seats.js'
import { type OfferDetails, Seat, type SeatServices } from './seat.js'
import { newLeg } from '../new-leg.js'

export interface RingServices extends SeatServices {
  readonly store: Pick<CallStore, 'addLeg' | 'legEnded'>
  readonly switchboard: Pick<Switchboard, 'dialApp' | 'newChannelId'>
  readonly claims: Pick<AgentClaims, 'hold' | 'release'>
  /** Registers a live client leg, so that its app can reconnect with its token. */
  keep(seat: Seat): void
}

export interface RingRequest {
  call: Call
  person: Person
  mode: SeatClaims['mode']
  role: LegRole
  /** The leg's number for display: a username, or the `sub` of a client. */
  number: string
  /** Milliseconds since 1970. */
  until: number
  /** Seconds after the answer. */
  maxDuration: number
  afterBridge: 'park' | 'hangup'
  offer: OfferDetails
  onDialed?: ((leg: CallLeg, channel: Channel) => void) | undefined
}

/** At most this many apps of one user take part in a ring. */
const maxSeats = 20

/** The switch reports the end of released legs within this, in milliseconds. */
const letGoMs = 2_000

export class Ring {
  /** The first answer, or `rejected`. Never settles if neither happens. */
  readonly outcome: Promise<Reached | 'rejected'>
  private settle: (outcome: Reached | 'rejected') => void = () => undefined
  private readonly seats = new Set<Seat>()
  private winner: Seat | undefined
  private isOver = false

  constructor(
    readonly request: RingRequest,
    private readonly services: RingServices,
  ) {
    this.outcome = new Promise((resolve) => {
      this.settle = resolve
    })
  }

  /** The channel on which an app has answered; null if none has. */
  get answeredBy(): string | null {
    return this.winner?.channel.id ?? null
  }

  /** True if an app of the user is connected. */
  get hasSeats(): boolean {
    return this.seats.size > 0
  }

  /**
   * Creates a client leg for an app.
   * @throws {AppRefused}
   */
  async sit(claims: SeatClaims, link: AppLink): Promise<AppControls> {
    if (this.isOver) throw over()
    if (this.seats.size >= maxSeats) throw new AppRefused('unavailable', 'too many apps ring for this call')
    const leg = await this.addLeg(claims.fs_uuid)
    // The ring may have ended while the row was written.
    const { request, services } = this
    const secondsLeft = Math.ceil((request.until - Date.now()) / 1000)
    if (this.isOver || secondsLeft <= 0) {
      const end = { hangupCause: 'ORIGINATOR_CANCEL', sipCode: null, answeredAt: null, endedAt: new Date() }
      services.claims.release(leg.channel_id)
      await services.store.legEnded(leg, end)
      throw over()
    }
    const channel = services.switchboard.dialApp(
      {
        channelId: leg.channel_id,
        ringTimeout: secondsLeft,
        maxDuration: request.maxDuration,
        afterBridge: request.afterBridge,
        marks: { jackfield_call: request.call.id, jackfield_role: request.role },
        codec: claims.mode ? 'PCMU' : 'OPUS',
        video: request.call.is_video && !claims.mode,
      },
      (offer) => seat.offered(offer),
    )
    const seat = new Seat({ ...claims, fs_uuid: leg.channel_id }, leg, channel, request.offer, services)
    this.follow(seat)
    request.onDialed?.(leg, channel)
    return seat.attach(link, claims.credential)
  }

  /** The user rejects the call. */
  reject(): void {
    this.settle('rejected')
  }

  /**
   * Releases all legs except the winner; resolves when they have ended, or soon after.
   * @param kept the channel of the winner
   */
  async end(reason: SeatEnd, kept?: Channel): Promise<void> {
    this.isOver = true
    if (this.winner?.channel !== kept) this.winner = undefined
    const losers = [...this.seats].filter((seat) => seat !== this.winner)
    const gone = losers.map(
      async (seat) =>
        new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, letGoMs)
          const done = () => {
            clearTimeout(timer)
            resolve()
          }
          seat.once('over', done)
          if (seat.isOver) done()
          seat.letGo(reason).catch(done)
        }),
    )
    await Promise.all(gone)
  }

  /** The connection to the switch is lost: the state of all legs is unknown. */
  abandon(): void {
    this.isOver = true
    for (const seat of this.seats) seat.forget()
  }

  private follow(seat: Seat): void {
    this.seats.add(seat)
    this.services.keep(seat)
    seat.on('rejected', () => this.reject())
    seat.on('answered', () => {
      // A late answer is released with the others.
      if (this.winner || this.isOver) {
        seat.letGo('answered_elsewhere').catch(() => undefined)
        return
      }
      this.winner = seat
      seat.win()
      this.settle({ leg: seat.leg, channel: seat.channel })
    })
    seat.on('over', (end) => {
      this.seats.delete(seat)
      // If the leg was bridged, the bridge writes its end.
      if (seat === this.winner) return
      this.services.store.legEnded(seat.leg, end).catch((error: unknown) => {
        this.services.log.warn({ err: error }, 'writing the end of a client leg failed')
      })
    })
  }

  /** @param channelId from the token; a previous leg of the app may have used it */
  private async addLeg(channelId: string): Promise<CallLeg> {
    const { claims, store, switchboard } = this.services
    const leg = legOf(this.request, channelId)
    for (;;) {
      claims.hold(leg)
      try {
        await store.addLeg(leg)
        return leg
      } catch (error) {
        claims.release(leg.channel_id)
        if (!isDuplicate(error) || leg.channel_id !== channelId) throw error
        leg.channel_id = switchboard.newChannelId()
      }
    }
  }
}

function legOf({ call, person, role, number }: RingRequest, channelId: string): CallLeg {
  return newLeg(call, {
    ...{ channel_id: channelId, role, number, uri: appUri(person) },
    ...(person.kind === 'agent' && { agent_id: person.sub }),
  })
}

/** Scheme of the address of every client leg. */
export const appScheme = 'app:'

/** The URI in the row of a client leg: `app:` and the user's `sub`. */
function appUri({ sub }: Person): string {
  return `${appScheme}${sub}`
}

/** The user whose app a leg leads to; null if it is not a client leg. */
export function personOfLeg({ uri, agent_id }: Pick<CallLeg, 'uri' | 'agent_id'>): Person | null {
  if (!uri.startsWith(appScheme)) return null
  return { kind: agent_id === null ? 'client' : 'agent', sub: uri.slice(appScheme.length) }
}

function over(): AppRefused {
  return new AppRefused('call_over', 'the call does not ring any more')
}
