/** All client legs of this server: apps connect with a token, and reconnect after their socket was lost. */
import { appUserOfLeg } from '../model/app-user.js'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import type { CallStore } from '../model/call-store.js'
import type { CallTokenClaims } from '../model/call-token.js'
import { type AppControls, type AppLink, AppRefused, type ClientLegRegistry } from './client-leg-registry.js'
import { type IncomingCall, type IncomingCallRequest } from './incoming-call.js'
import type { IncomingCalls } from './incoming-calls.js'
import { ClientLeg, type ClientLegServices } from './client-leg.js'

interface Services {
  readonly store: Pick<CallStore, 'load' | 'legsOfApps'>
  readonly switchboard: Pick<Switchboard, 'known' | 'newChannelId'>
  readonly incomingCalls: IncomingCalls
  readonly clientLeg: ClientLegServices
  readonly newRing: (request: IncomingCallRequest) => IncomingCall
  /** True once the calls of the previous process are recovered. */
  readonly isReady: () => boolean
}

/** An app may connect before its call rings, or before it is recovered after a restart. */
const comingMs = 5_000

const lookMs = 100

/** For a recovered leg, whose app already has the call. */
const noDetails = { from_avatar: null, transfer_reason: null }

export class ClientLegs implements ClientLegRegistry {
  private readonly byChannel = new Map<string, ClientLeg>()

  constructor(private readonly services: Services) {}

  /** A live client leg, by its channel. */
  find(channelId: string): ClientLeg | undefined {
    return this.byChannel.get(channelId)
  }

  keep(clientLeg: ClientLeg): void {
    if (clientLeg.isOver) return
    const { id } = clientLeg.channel
    this.byChannel.set(id, clientLeg)
    clientLeg.once('over', () => {
      for (const [name, one] of this.byChannel) if (one === clientLeg) this.byChannel.delete(name)
    })
  }

  async connect(claims: CallTokenClaims, link: AppLink): Promise<AppControls> {
    const until = Date.now() + comingMs
    for (;;) {
      const clientLeg = this.byChannel.get(claims.fs_uuid)
      if (clientLeg?.isBridged) {
        return link.resume ? resume(clientLeg, link, claims) : this.renew(clientLeg, link, claims)
      }
      const ring = this.services.incomingCalls.find(claims)
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
      const clientLeg = this.byChannel.get(leg.channel_id) ?? this.clientLegOf(leg, channel)
      if (!clientLeg || (clientLeg.isBridged && clientLeg.channel === channel)) continue
      this.keep(clientLeg)
      clientLeg.recover(channel)
    }
    for (const [id, clientLeg] of [...this.byChannel]) {
      if (switchboard.known(clientLeg.channel.id) === clientLeg.channel) continue
      this.byChannel.delete(id)
      clientLeg.forget()
    }
  }

  /**
   * The app has lost its peer connection, as after a reload: it gets another leg, which replaces the first one when the
   * app has answered.
   */
  private async renew(clientLeg: ClientLeg, link: AppLink, brought: CallTokenClaims): Promise<AppControls> {
    const { store, switchboard, clientLeg: services, newRing } = this.services
    const { claims, leg } = clientLeg
    const { callControl, graceMs, log } = services
    const call = await store.load(claims.call_id)
    if (!call || !callControl.mayReplace(clientLeg)) {
      throw new AppRefused('unavailable', 'this part in the call can only be resumed')
    }
    clientLeg.leave()
    const bridgedMs = Date.now() - (leg.answered_at ?? leg.created_at).getTime()
    const ring = newRing({
      ...{ call, person: claims, mode: claims.mode, role: leg.role, number: leg.number },
      until: Date.now() + graceMs,
      maxDuration: Math.max(1, call.max_duration - Math.floor(bridgedMs / 1000)),
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
        await callControl.replace(clientLeg, reached)
        // If the app is disconnected now, it reconnects with its previous token.
        if (!next || next.isOver) return
        this.byChannel.set(clientLeg.channel.id, next)
        if (callControl.isHolding(next)) next.sendHeld()
      })
      .catch(async (error: unknown) => {
        log.warn(
          { event: 'client_leg.reconnect_failed', err: error },
          'reconnecting an app to its call failed',
        )
        await ring.end('failed')
      })
    return controls
  }

  private clientLegOf(leg: CallLeg, channel: Channel): ClientLeg | null {
    const person = appUserOfLeg(leg)
    if (!person) return null
    const { workspace_id, call_id, channel_id: fs_uuid } = leg
    return new ClientLeg(
      { ...person, workspace_id, call_id, fs_uuid },
      leg,
      channel,
      noDetails,
      this.services.clientLeg,
    )
  }
}

function resume(clientLeg: ClientLeg, link: AppLink, { credential }: CallTokenClaims): AppControls {
  const controls = clientLeg.attach(link, credential)
  clientLeg.sendToken()
  return controls
}
