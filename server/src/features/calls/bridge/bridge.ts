/**
 * The script leg and the leg that it is connected with: bridged, or parted for a while. It ends when the B-leg leaves,
 * or when the script continues. One of them is the primary leg, whose end ends the call: the script leg, or the waiting
 * side while the script leg is being transferred. Recovery variables are on the primary leg's channel.
 */
import type { AnsweredLeg } from '../model/answered-leg.js'
import type { Side } from './side.js'
import { EventEmitter } from 'node:events'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import { SwitchDownError, SwitchRefusedError } from '../../../adapters/freeswitch/errors.js'
import { transferPrimary } from './primary-leg.js'
import { builtInMusic } from '../../../adapters/freeswitch/hold-music.js'
import { MediaBridge } from './media-bridge.js'
import { type Holder, type BridgeState, type TransferState, bridgeVariables } from './bridge-state.js'
import { BridgeSounds } from './bridge-sounds.js'

/** For the side that holds: phones give up a call without media. */
export const silence = 'silence_stream://-1'

/** Sounds for both sides during a transfer; null for nothing. */
export interface TransferTones {
  /** For the transferring side. */
  readonly from: string | null
  readonly waits: string | null
}

/** The leg on each side. */
type Sides = Readonly<Record<Side, AnsweredLeg>>

/** The default until more is known after a recovery. */
const untouched: TransferTones = { from: null, waits: builtInMusic }

interface BridgeEvents {
  /** Another leg has taken a side. */
  replaced: []
  /** The transferring side has left, and the transfer decides how the call continues. */
  left: []
  held: [by: Holder]
  unheld: [by: Holder]
  over: []
}

/** State of a bridge of the previous process. */
export interface FoundBridge {
  primarySide: Side
  holders: readonly Holder[]
  /** True if the switch has bridged both. */
  bridged: boolean
  muted: readonly Side[]
  /**
   * Legs whose media endpoint died with the previous process. They send no RTP, so stopping a playback takes seconds.
   */
  deaf: readonly Side[]
  /** The transfer that was in progress. */
  transfer: TransferState | null
}

interface TalkOptions {
  /** True if the bridge carries video. */
  isVideo: boolean
  legAnswered(reached: AnsweredLeg, at: Date): void
  legEnded(reached: AnsweredLeg, end: ChannelEnd): void
  /** Another leg is the primary one from now on. */
  primaryChanged(now: AnsweredLeg): void
  /** The script continues on another channel when the bridge is over. */
  lineReplaced(before: AnsweredLeg, now: AnsweredLeg): void
}

export class Bridge extends EventEmitter<BridgeEvents> {
  private readonly holders = new Set<Holder>()
  private readonly sounds = new BridgeSounds()
  private readonly parties = new Set<AnsweredLeg>()
  private readonly bridge: MediaBridge
  private readonly muted = new Set<Side>()
  /** Legs that get no playback: see {@link FoundBridge}. */
  private readonly deaf = new Set<AnsweredLeg>()
  private primarySide: Side = 'line'
  private turn: Promise<unknown> = Promise.resolve()
  private marked = false
  private finished = false
  private settle: (error?: Error) => void = () => undefined
  private transferMark: TransferState | null = null
  private tones: TransferTones = untouched

  constructor(
    private sides: Sides,
    private readonly options: TalkOptions,
  ) {
    super()
    this.bridge = new MediaBridge(options.isVideo)
    this.setMaxListeners(50)
  }

  /** The leg on which the script continues; it may have left while it transfers the B-leg. */
  get line(): AnsweredLeg {
    return this.sides.line
  }

  /** The B-leg; it may have left during a transfer. */
  get destination(): AnsweredLeg {
    return this.sides.destination
  }

  at(side: Side): AnsweredLeg {
    return this.sides[side]
  }

  get isOver(): boolean {
    return this.finished
  }

  /** All legs except the primary one. */
  get reached(): AnsweredLeg[] {
    return [...this.parties].filter(({ channel }) => !channel.end)
  }

  isHeldBy(holder: Holder): boolean {
    return this.holders.has(holder)
  }

  /** True while a side, or a transfer, holds the bridge. A transfer in which all three talk does not. */
  get isParted(): boolean {
    return [...this.holders].some((holder) => holder !== 'transfer' || !this.transferMark?.isThreeWay)
  }

  /**
   * Bridges both and waits until they part for good.
   * @param found null for a new bridge
   * @throws {SwitchDownError} the connection to the switch was lost meanwhile
   */
  async run(found: FoundBridge | null, signal: AbortSignal): Promise<void> {
    const over = new Promise<void>((resolve, reject) => {
      this.settle = (error) => (error ? reject(error) : resolve())
    })
    over.catch(() => undefined)
    for (const holder of found?.holders ?? []) this.holders.add(holder)
    this.transferMark = found?.transfer ?? null
    for (const side of found?.muted ?? []) this.muted.add(side)
    this.marked = found !== null
    this.primarySide = found?.primarySide ?? 'line'
    for (const side of found?.deaf ?? []) this.deaf.add(this.sides[side])
    if (found?.bridged ?? this.destination.isJoined) this.bridge.recover()
    if (!found) this.bridge.setParks(this.destination.channel, false)
    const end = () => this.end('NORMAL_CLEARING')
    this.add(this.other)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    else this.arrange().catch((error: unknown) => this.fail(error))
    try {
      await over
      await this.turn
      await this.sounds.stop()
      if (this.marked && !this.primary.channel.end) await this.mark(false)
    } finally {
      signal.removeEventListener('abort', end)
      this.emit('over')
      this.removeAllListeners()
    }
  }

  /** Plays music to the other side, or to both for a transfer; does nothing if already held. */
  async hold(by: Holder): Promise<void> {
    if (this.holders.has(by) || this.finished) return
    this.holders.add(by)
    await this.arrange()
    this.emit('held', by)
  }

  /** Bridges both again, unless another holder remains; does nothing if not held. */
  async unhold(by: Holder): Promise<void> {
    if (!this.holders.delete(by)) return
    await this.arrange()
    this.emit('unheld', by)
  }

  /** Mutes a side towards the other one. */
  async mute(side: Side, on: boolean): Promise<void> {
    if (this.muted.has(side) === on) return
    if (on) this.muted.add(side)
    else this.muted.delete(side)
    await this.channel(side).mute(on)
  }

  /** Sends DTMF to the other side as if a side had pressed the keys. */
  async press(side: Side, keys: string): Promise<void> {
    await this.channel(side).receiveKeys(keys)
  }

  /**
   * Gives a side to another channel, which has answered; the leg before is hung up.
   * @param before the leg expected on that side; undefined: any
   * @throws when the bridge is over, the primary leg has just left, or another leg has taken the side
   */
  async replace(side: Side, next: AnsweredLeg, before?: AnsweredLeg): Promise<void> {
    if (!(await this.put(side, next, { cause: 'NORMAL_CLEARING', ...(before && { before }) })))
      throw new Error('the bridge has changed meanwhile')
  }

  /**
   * Parts the bridge for a transfer, or records the transfer's next step; bridges both again when all three are to talk.
   * @returns false if a side has left instead
   */
  async transferring(mark: TransferState, tones: TransferTones): Promise<boolean> {
    const wasParted = this.isParted
    this.transferMark = mark
    this.tones = tones
    this.holders.add('transfer')
    const waits = mark.side === 'line' ? 'destination' : 'line'
    const isPrimary = await this.inTurn(
      async () => this.primarySide === waits || this.assignSides(this.sides, waits),
    )
    if (!isPrimary) {
      this.endTransfer()
      await this.arrange()
      return false
    }
    await this.arrange()
    if (this.isParted !== wasParted) this.emit(wasParted ? 'unheld' : 'held', 'transfer')
    return true
  }

  /** Ends the transfer: both are bridged again, or the bridge is over. */
  async transferred(): Promise<void> {
    if (!this.endTransfer()) return
    await this.inTurn(async () => this.assignSides(this.sides, 'line'))
    await this.arrange()
    this.emit('unheld', 'transfer')
  }

  /**
   * The target takes the side that is transferred.
   * @returns false if the target has left already
   */
  async handOver(side: Side, next: AnsweredLeg, cause: string): Promise<boolean> {
    if (next.channel.end || !(await this.put(side, next, { cause, handsOver: true }))) return false
    this.emit('unheld', 'transfer')
    return true
  }

  /** Tracks a leg that is in the bridge, or about to join it. */
  add(reached: AnsweredLeg): void {
    if (this.parties.has(reached)) return
    const { leg, channel } = reached
    const answeredAt = leg.answered_at ?? channel.answeredAt ?? new Date()
    leg.answered_at = answeredAt
    this.options.legAnswered(reached, answeredAt)
    this.follow(reached)
  }

  private follow(reached: AnsweredLeg): void {
    const { channel } = reached
    this.parties.add(reached)
    const ended = (end: ChannelEnd) => {
      // When the primary leg ends, the call ends.
      if (!this.parties.delete(reached)) return
      this.options.legEnded(reached, end)
      this.left(reached)
    }
    channel.once('ended', ended)
    channel.once('abandoned', () => this.fail(new SwitchDownError()))
    if (channel.end) ended(channel.end)
  }

  /** Hangs up all legs but the script leg. */
  end(cause: string): void {
    const isHandingOver =
      this.primarySide === 'destination' && !this.primary.channel.end && !this.other.channel.end
    if (!isHandingOver) {
      this.release(cause)
      return
    }
    this.inTurn(async () => this.assignSides(this.sides, 'line'))
      .then(() => this.release(cause))
      .catch((error: unknown) => this.fail(error))
  }

  /** Hangs up all legs but the primary one. */
  private release(cause: string): void {
    for (const { channel } of this.reached) void channel.hangUp(cause).catch(() => undefined)
    if (this.other.channel.end) this.finish()
    else this.holders.delete('transfer')
  }

  private get primary(): AnsweredLeg {
    return this.sides[this.primarySide]
  }

  private get other(): AnsweredLeg {
    return this.sides[this.primarySide === 'line' ? 'destination' : 'line']
  }

  private left(reached: AnsweredLeg): void {
    if (reached !== this.other || this.finished) return
    if (this.holders.has('transfer')) this.emit('left')
    else this.finish()
  }

  private finish(): void {
    if (this.finished) return
    this.finished = true
    this.holders.clear()
    this.transferMark = null
    // There is no leg left for the script to continue on.
    if (this.primarySide === 'destination')
      void this.primary.channel.hangUp('NORMAL_CLEARING').catch(() => undefined)
    this.settle()
  }

  /** @returns whether there was one */
  private endTransfer(): boolean {
    this.transferMark = null
    this.tones = untouched
    return this.holders.delete('transfer')
  }

  private fail(error: unknown): void {
    if (this.finished) return
    if (error instanceof SwitchDownError) {
      this.finished = true
      this.settle(error)
      return
    }
    // The bridge failed: treat it as a dropped line.
    this.release('NORMAL_TEMPORARY_FAILURE')
  }

  private channel(side: Side): Channel {
    return this.sides[side].channel
  }

  /**
   * @param how hangup cause for the leg being replaced; whether this completes that side's transfer; the leg expected
   * on that side
   * @returns false if nothing has changed: the current or next primary leg has left, or another leg has taken the side
   */
  private async put(
    side: Side,
    next: AnsweredLeg,
    how: { cause: string; handsOver?: true; before?: AnsweredLeg },
  ): Promise<boolean> {
    const { cause, handsOver } = how
    const before = await this.inTurn(async () => {
      const { sides } = this
      const newSides = { ...sides, [side]: next }
      if (this.finished || (how.before && sides[side] !== how.before)) return null
      if (
        !(await (handsOver
          ? this.assignSides(newSides, 'line', side)
          : this.assignSides(newSides, this.primarySide)))
      )
        return null
      this.muted.delete(side)
      const leaving = sides[side] === next ? undefined : sides[side].channel
      await this.bridge.part(sides.line.channel, sides.destination.channel, leaving)
      void leaving?.hangUp(cause).catch(() => undefined)
      return sides
    })
    if (!before) return false
    if (side === 'line') this.options.lineReplaced(before.line, next)
    this.emit('replaced')
    await this.arrange()
    return true
  }

  /**
   * Sets the leg of each side, and which side is the primary leg.
   * @param handsOver the side whose transfer this completes
   * @returns false if the current or next primary leg has left
   */
  private async assignSides(sides: Sides, primary: Side, handsOver?: Side): Promise<boolean> {
    const before = this.primary
    const next = sides[primary]
    if (next !== before) {
      const mark = bridgeVariables(this.markFor(sides, primary, handsOver))
      if (!(await transferPrimary(before.channel, next.channel, mark)) || before.channel.end) return false
      this.bridge.setParks(next.channel, true)
    }
    const fresh = [sides.line, sides.destination].filter((one) => one !== before && !this.parties.has(one))
    this.sides = sides
    this.primarySide = primary
    if (handsOver) {
      this.holders.delete(handsOver)
      this.endTransfer()
    }
    fresh.forEach((one) => this.add(one))
    if (next === before) {
      await this.mark(true)
      return true
    }
    this.marked = true
    this.parties.delete(next)
    this.options.primaryChanged(next)
    this.follow(before)
    return true
  }

  /** Brings the switch into the state of the bridge. */
  private async arrange(): Promise<void> {
    await this.inTurn(async () => {
      if (this.finished || this.primary.channel.end) return
      if (this.other.channel.end && !this.holders.has('transfer')) {
        this.finish()
        return
      }
      if (this.isParted) {
        await this.mark(true)
        await this.bridge.part(this.line.channel, this.destination.channel)
        await this.play()
        return
      }
      await this.play()
      await this.bridge.join(this.primary.channel, this.other.channel)
      if (this.transferMark) await this.mark(true)
      else if (this.marked) await this.mark(false)
    })
  }

  /** Plays each side its current sound. */
  private async play(): Promise<void> {
    const sides = ['line', 'destination'] as const
    await Promise.all(
      sides.map(async (side) => this.sounds.play(side, this.channel(side), this.soundFor(side))),
    )
  }

  private soundFor(side: Side): string | null {
    if (this.finished || !this.isParted || this.deaf.has(this.sides[side])) return null
    if (this.holders.has('transfer') && !this.transferMark?.isThreeWay)
      return side === this.primarySide ? this.tones.waits : this.tones.from
    return this.holders.has(side === 'line' ? 'destination' : 'line') ? builtInMusic : silence
  }

  /** Writes the recovery variables on the primary leg, or clears them. */
  private async mark(keep: boolean): Promise<void> {
    this.marked = keep
    const mark = keep ? this.markFor(this.sides, this.primarySide) : null
    await this.primary.channel.setVariables(bridgeVariables(mark)).catch((error: unknown) => {
      if (!(error instanceof SwitchRefusedError)) throw error
    })
  }

  /** @param handsOver see {@link assignSides} */
  private markFor(sides: Sides, primary: Side, handsOver?: Side): BridgeState {
    const otherId = sides[primary === 'line' ? 'destination' : 'line'].channel.id
    const holders = [...this.holders]
    if (!handsOver) return { otherId, holders, transfer: this.transferMark }
    const kept = holders.filter((holder) => holder !== handsOver && holder !== 'transfer')
    return { otherId, holders: kept, transfer: null }
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.turn.then(work)
    this.turn = turn.catch(() => undefined)
    return turn
  }
}
