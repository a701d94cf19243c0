/** Call control for the client legs of running calls. */
import type { ClientCallControl } from '../clients/client-leg.js'
import type { AnsweredLeg } from '../model/answered-leg.js'
import type { Side } from '../bridge/side.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../../infrastructure/http/errors.js'
import { type LiveCall, scripted } from './live-call.js'
import type { Bridge } from '../bridge/bridge.js'
import type { TransferService } from './transfer.service.js'
import { AppRefused } from '../clients/client-leg-registry.js'
import type { ClientLeg } from '../clients/client-leg.js'

/** A leg that has just answered is bridged within this, in milliseconds. */
const connectMs = 2_000
const lookMs = 50

export class ActiveBridges implements ClientCallControl {
  constructor(
    private readonly find: (callId: string) => LiveCall | undefined,
    /** The client leg of a channel. */
    private readonly clientLegAt: (channelId: string) => ClientLeg | undefined,
    /** @throws {ApiError} 400 or 404 if the call or the target does not allow a transfer */
    private readonly handOver: (...call: Parameters<TransferService['start']>) => Promise<unknown>,
  ) {}

  async dtmf(clientLeg: ClientLeg, digits: string): Promise<void> {
    await clientLeg.channel.receiveKeys(digits)
  }

  async mute(clientLeg: ClientLeg, on: boolean): Promise<void> {
    const found = this.bridgeOf(clientLeg)
    if (found) await found.bridge.mute(found.side, on)
    else await clientLeg.channel.mute(on)
  }

  async hold(clientLeg: ClientLeg): Promise<void> {
    const { bridge, side } = await this.needBridge(clientLeg)
    await bridge.hold(side)
  }

  async unhold(clientLeg: ClientLeg): Promise<void> {
    const { bridge, side } = await this.needBridge(clientLeg)
    await bridge.unhold(side)
  }

  isHolding(clientLeg: ClientLeg): boolean {
    const found = this.bridgeOf(clientLeg)
    return found?.bridge.isHeldBy(found.side) ?? false
  }

  async transfer({ claims, leg }: ClientLeg, target: string, reason: string | undefined): Promise<void> {
    const { kind, sub, workspace_id, call_id, mode } = claims
    if (kind !== 'agent' || mode)
      throw new AppRefused('unavailable', 'this part in the call cannot be transferred')
    const by = { id: sub, username: leg.number }
    try {
      await this.handOver({ id: workspace_id }, call_id, by, { target, ...(reason && { reason }) })
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) throw new AppRefused('bad_target', error.message)
      throw error
    }
  }

  camera(clientLeg: ClientLeg, on: boolean): void {
    const found = this.bridgeOf(clientLeg)
    if (!found) return
    const { channel } = found.bridge.at(found.side === 'line' ? 'destination' : 'line')
    this.clientLegAt(channel.id)?.seesCamera(on)
  }

  mayReplace(clientLeg: ClientLeg): boolean {
    return this.bridgeOf(clientLeg) !== null
  }

  async replace(clientLeg: ClientLeg, next: AnsweredLeg): Promise<void> {
    const { bridge, side } = await this.needBridge(clientLeg)
    await bridge.replace(side, next)
  }

  private async needBridge(clientLeg: ClientLeg): Promise<{ bridge: Bridge; side: Side }> {
    const until = Date.now() + connectMs
    for (;;) {
      const found = this.bridgeOf(clientLeg)
      if (found) return found
      if (Date.now() > until || clientLeg.isOver) {
        throw new AppRefused('wrong_state', 'the call is not bridged now')
      }
      await sleep(lookMs)
    }
  }

  private bridgeOf({ claims, channel }: ClientLeg): { bridge: Bridge; side: Side } | null {
    const bridge = scripted(this.find(claims.call_id))?.bridge
    if (!bridge || bridge.isOver) return null
    const side = (['line', 'destination'] as const).find((one) => bridge.at(one).channel.id === channel.id)
    return side ? { bridge, side } : null
  }
}
