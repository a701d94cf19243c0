/** Call control for the client legs of running calls. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../http/errors.js'
import type { Reached } from '../hunt.js'
import type { LiveCall } from '../live-call.js'
import type { Talk } from '../talk.js'
import type { Side } from '../talk-mark.js'
import type { TransferService } from '../transfer.service.js'
import { AppRefused } from './app-seats.js'
import type { Seat } from './seat.js'
import type { SeatTalk } from './seat-talk.js'

/** A leg that has just answered is bridged within this, in milliseconds. */
const connectMs = 2_000
const lookMs = 50

export class RunningTalks implements SeatTalk {
  constructor(
    private readonly find: (callId: string) => LiveCall | undefined,
    /** The client leg of a channel. */
    private readonly seatAt: (channelId: string) => Seat | undefined,
    /** @throws {ApiError} 400 or 404 if the call or the target does not allow a transfer */
    private readonly handOver: (...call: Parameters<TransferService['start']>) => Promise<unknown>,
  ) {}

  async dtmf(seat: Seat, digits: string): Promise<void> {
    await seat.channel.receiveKeys(digits)
  }

  async mute(seat: Seat, on: boolean): Promise<void> {
    const found = this.talkOf(seat)
    if (found) await found.talk.mute(found.side, on)
    else await seat.channel.mute(on)
  }

  async hold(seat: Seat): Promise<void> {
    const { talk, side } = await this.needTalk(seat)
    await talk.hold(side)
  }

  async unhold(seat: Seat): Promise<void> {
    const { talk, side } = await this.needTalk(seat)
    await talk.unhold(side)
  }

  isHolding(seat: Seat): boolean {
    const found = this.talkOf(seat)
    return found?.talk.isHeldBy(found.side) ?? false
  }

  async transfer({ claims, leg }: Seat, target: string, reason: string | undefined): Promise<void> {
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

  camera(seat: Seat, on: boolean): void {
    const found = this.talkOf(seat)
    if (!found) return
    const { channel } = found.talk.at(found.side === 'line' ? 'operator' : 'line')
    this.seatAt(channel.id)?.seesCamera(on)
  }

  mayReplace(seat: Seat): boolean {
    return this.talkOf(seat) !== null
  }

  async replace(seat: Seat, next: Reached): Promise<void> {
    const { talk, side } = await this.needTalk(seat)
    await talk.replace(side, next)
  }

  private async needTalk(seat: Seat): Promise<{ talk: Talk; side: Side }> {
    const until = Date.now() + connectMs
    for (;;) {
      const found = this.talkOf(seat)
      if (found) return found
      if (Date.now() > until || seat.isOver) {
        throw new AppRefused('wrong_state', 'the call is not bridged now')
      }
      await sleep(lookMs)
    }
  }

  private talkOf({ claims, channel }: Seat): { talk: Talk; side: Side } | null {
    const talk = this.find(claims.call_id)?.talk
    if (!talk || talk.isOver) return null
    const side = (['line', 'operator'] as const).find((one) => talk.at(one).channel.id === channel.id)
    return side ? { talk, side } : null
  }
}
