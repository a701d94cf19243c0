/** Rings one user for a call: their apps connect, each with a client leg, and the first answer wins. */
import { appScheme } from '../model/app-user.js'
import type { AppUser } from '../model/app-user.js'
import type { AnsweredLeg } from '../model/answered-leg.js'
import { isDuplicate } from '../../../infrastructure/database/database.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import type { AgentClaims } from '../dialling/agent-claims.js'
import type { CallLeg, LegRole } from '../model/call-leg.entity.js'
import type { CallStore } from '../model/call-store.js'
import type { Call } from '../model/call.entity.js'
import type { CallTokenClaims } from '../model/call-token.js'
import { type AppControls, type AppLink, AppRefused } from './client-leg-registry.js'
import { type OfferDetails, ClientLeg, type ClientLegServices } from './client-leg.js'
import { newLeg } from '../model/new-leg.js'
import { unreported } from '../model/leg-ends.js'
import { type ClientLegEnd, failures } from '../model/termination.js'

export interface IncomingCallServices extends ClientLegServices {
  readonly store: Pick<CallStore, 'addLeg' | 'legEnded'>
  readonly switchboard: Pick<Switchboard, 'dialApp' | 'newChannelId'>
  readonly claims: Pick<AgentClaims, 'hold' | 'release'>
  /** Registers a live client leg, so that its app can reconnect with its token. */
  keep(clientLeg: ClientLeg): void
}

export interface IncomingCallRequest {
  call: Call
  person: AppUser
  mode: CallTokenClaims['mode']
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
const maxClientLegs = 20

/** The switch reports the end of released legs within this, in milliseconds. */
const releaseMs = 2_000

export class IncomingCall {
  /** The first answer, or `rejected`. Never settles if neither happens. */
  readonly outcome: Promise<AnsweredLeg | 'rejected'>
  private settle: (outcome: AnsweredLeg | 'rejected') => void = () => undefined
  private readonly clientLegs = new Set<ClientLeg>()
  private winner: ClientLeg | undefined
  private isOver = false

  constructor(
    readonly request: IncomingCallRequest,
    private readonly services: IncomingCallServices,
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
  get hasClientLegs(): boolean {
    return this.clientLegs.size > 0
  }

  /**
   * Creates a client leg for an app.
   * @throws {AppRefused}
   */
  async sit(claims: CallTokenClaims, link: AppLink): Promise<AppControls> {
    if (this.isOver) throw over()
    if (this.clientLegs.size >= maxClientLegs)
      throw new AppRefused('unavailable', 'too many apps ring for this call')
    const leg = await this.addLeg(claims.fs_uuid)
    // The ring may have ended while the row was written.
    const { request, services } = this
    const secondsLeft = Math.ceil((request.until - Date.now()) / 1000)
    if (this.isOver || secondsLeft <= 0) {
      const end = unreported(failures.canceled)
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
        recoveryVariables: { jackfield_call: request.call.id, jackfield_role: request.role },
        codec: claims.mode ? 'PCMU' : 'OPUS',
        video: request.call.is_video && !claims.mode,
      },
      (offer) => clientLeg.offered(offer),
    )
    const clientLeg = new ClientLeg(
      { ...claims, fs_uuid: leg.channel_id },
      leg,
      channel,
      request.offer,
      services,
    )
    this.follow(clientLeg)
    request.onDialed?.(leg, channel)
    return clientLeg.attach(link, claims.credential)
  }

  /** The user rejects the call. */
  reject(): void {
    this.settle('rejected')
  }

  /**
   * Releases all legs except the winner; resolves when they have ended, or soon after.
   * @param kept the channel of the winner
   */
  async end(reason: ClientLegEnd, kept?: Channel): Promise<void> {
    this.isOver = true
    if (this.winner?.channel !== kept) this.winner = undefined
    const losers = [...this.clientLegs].filter((clientLeg) => clientLeg !== this.winner)
    const gone = losers.map(
      async (clientLeg) =>
        new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, releaseMs)
          const done = () => {
            clearTimeout(timer)
            resolve()
          }
          clientLeg.once('over', done)
          if (clientLeg.isOver) done()
          clientLeg.release(reason).catch(done)
        }),
    )
    await Promise.all(gone)
  }

  /** The connection to the switch is lost: the state of all legs is unknown. */
  abandon(): void {
    this.isOver = true
    for (const clientLeg of this.clientLegs) clientLeg.forget()
  }

  private follow(clientLeg: ClientLeg): void {
    this.clientLegs.add(clientLeg)
    this.services.keep(clientLeg)
    clientLeg.on('rejected', () => this.reject())
    clientLeg.on('answered', () => {
      // A late answer is released with the others.
      if (this.winner || this.isOver) {
        clientLeg.release('answered_elsewhere').catch(() => undefined)
        return
      }
      this.winner = clientLeg
      clientLeg.win()
      this.settle({ leg: clientLeg.leg, channel: clientLeg.channel })
    })
    clientLeg.on('over', (end) => {
      this.clientLegs.delete(clientLeg)
      // If the leg was bridged, the bridge writes its end.
      if (clientLeg === this.winner) return
      this.services.store.legEnded(clientLeg.leg, end).catch((error: unknown) => {
        this.services.log.warn(
          { event: 'client_leg.end_not_written', err: error },
          'writing the end of a client leg failed',
        )
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

function legOf({ call, person, role, number }: IncomingCallRequest, channelId: string): CallLeg {
  return newLeg(call, {
    ...{ channel_id: channelId, role, number, uri: appUri(person) },
    ...(person.kind === 'agent' && { agent_id: person.sub }),
  })
}

/** The URI in the row of a client leg: `app:` and the user's `sub`. */
function appUri({ sub }: AppUser): string {
  return `${appScheme}${sub}`
}

function over(): AppRefused {
  return new AppRefused('call_over', 'the call does not ring any more')
}
