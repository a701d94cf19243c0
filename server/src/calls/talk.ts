/**
 * The script leg and the leg that it is connected with: bridged, or parted for a while. It ends when the B-leg leaves,
 * or when the script continues. One of them is the primary leg, whose end ends the call: the script leg, or the waiting
 * side while the script leg is being transferred. Recovery variables are on the primary leg's channel.
 */
import { EventEmitter } from 'node:events'
import type { Channel } from '../switch/channel.js'
import type { ChannelEnd } from '../switch/channel-end.js'
import { SwitchDownError, SwitchRefusedError } from '../switch/errors.js'
import { passOn } from './call-bearer.js'
import type { Reached } from './hunt.js'
import { builtInMusic } from '../switch/hold-music.js'
import { TalkBridge } from './talk-bridge.js'
import { type Holder, type Side, type TalkMark, type TransferMark, talkVariables } from './talk-mark.js'
import { TalkSounds } from './talk-sounds.js'

/** For the side that holds: phones give up a call without media. */
export const silence = 'silence_stream://-1'

/** Sounds for both sides during a transfer; null for nothing. */
export interface TransferTones {
  /** For the transferring side. */
  readonly from: string | null
  readonly waits: string | null
}

/** The leg on each side. */
type Sides = Readonly<Record<Side, Reached>>

/** The default until more is known after a recovery. */
const untouched: TransferTones = { from: null, waits: builtInMusic }

interface TalkEvents {
  /** Another leg has taken a side. */
  replaced: []
  /** The transferring side has left, and the transfer decides how the call continues. */
  left: []
  held: [by: Holder]
  unheld: [by: Holder]
  over: []
}

/** State of a bridge of the previous process. */
export interface FoundTalk {
  bearer: Side
  holders: readonly Holder[]
  /** True if the switch has bridged both. */
  bridged: boolean
  muted: readonly Side[]
  /**
   * Legs whose media endpoint died with the previous process. They send no RTP, so stopping a playback takes seconds.
   */
  deaf: readonly Side[]
}

interface TalkOptions {
  /** True if the bridge carries video. */
  isVideo: boolean
  legAnswered(reached: Reached, at: Date): void
  legEnded(reached: Reached, end: ChannelEnd): void
  /** Another leg is the primary one from now on. */
  borneBy(now: Reached): void
  /** The script continues on another channel when the bridge is over. */
  lineReplaced(before: Reached, now: Reached): void
}

export class Talk extends EventEmitter<TalkEvents> {
  private readonly holders = new Set<Holder>()
  private readonly sounds = new TalkSounds()
  private readonly parties = new Set<Reached>()
  private readonly bridge: TalkBridge
  private readonly muted = new Set<Side>()
  /** Legs that get no playback: see {@link FoundTalk}. */
  private readonly deaf = new Set<Reached>()
  private bearer: Side = 'line'
  private turn: Promise<unknown> = Promise.resolve()
  private marked = false
  private finished = false
  private settle: (error?: Error) => void = () => undefined
  private transferMark: TransferMark | null = null
  private tones: TransferTones = untouched

  constructor(
    private sides: Sides,
    private readonly options: TalkOptions,
  ) {
    super()
    this.bridge = new TalkBridge(options.isVideo)
    this.setMaxListeners(50)
  }

  /** The leg on which the script continues; it may have left while it transfers the B-leg. */
  get line(): Reached {
    return this.sides.line
  }

  /** The B-leg; it may have left during a transfer. */
  get operator(): Reached {
    return this.sides.operator
  }

  at(side: Side): Reached {
    return this.sides[side]
  }

  get isOver(): boolean {
    return this.finished
  }

  /** All legs except the primary one. */
  get reached(): Reached[] {
    return [...this.parties].filter(({ channel }) => !channel.end)
  }

  isHeldBy(holder: Holder): boolean {
    return this.holders.has(holder)
  }

  /** True while a side, or a transfer, holds the bridge. */
  get isParted(): boolean {
    return this.holders.size > 0
  }

  /**
   * Bridges both and waits until they part for good.
   * @param found null for a new bridge
   * @throws {SwitchDownError} the connection to the switch was lost meanwhile
   */
  async run(found: FoundTalk | null, signal: AbortSignal): Promise<void> {
    const over = new Promise<void>((resolve, reject) => {
      this.settle = (error) => (error ? reject(error) : resolve())
    })
    over.catch(() => undefined)
    for (const holder of found?.holders ?? []) this.holders.add(holder)
    for (const side of found?.muted ?? []) this.muted.add(side)
    this.marked = found !== null
    this.bearer = found?.bearer ?? 'line'
    for (const side of found?.deaf ?? []) this.deaf.add(this.sides[side])
    if (found?.bridged ?? this.operator.isJoined) this.bridge.takeUp()
    if (!found) this.bridge.setParks(this.operator.channel, false)
    const end = () => this.end('NORMAL_CLEARING')
    this.add(this.other)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    else this.arrange().catch((error: unknown) => this.fail(error))
    try {
      await over
      await this.turn
      await this.sounds.stop()
      if (this.marked && !this.bearing.channel.end) await this.mark(false)
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
  async replace(side: Side, next: Reached, before?: Reached): Promise<void> {
    if (!(await this.put(side, next, { cause: 'NORMAL_CLEARING', ...(before && { before }) })))
      throw new Error('the bridge has changed meanwhile')
  }

  /**
   * Parts the bridge for a transfer, or records the transfer's next step.
   * @returns false if a side has left instead
   */
  async transferring(mark: TransferMark, tones: TransferTones): Promise<boolean> {
    this.transferMark = mark
    this.tones = tones
    const begins = !this.holders.has('transfer')
    this.holders.add('transfer')
    const waits = mark.side === 'line' ? 'operator' : 'line'
    const isBorne = await this.inTurn(async () => this.bearer === waits || this.seat(this.sides, waits))
    if (!isBorne) {
      this.endTransfer()
      await this.arrange()
      return false
    }
    await this.arrange()
    if (begins) this.emit('held', 'transfer')
    return true
  }

  /** Ends the transfer: both are bridged again, or the bridge is over. */
  async transferred(): Promise<void> {
    if (!this.endTransfer()) return
    await this.inTurn(async () => this.seat(this.sides, 'line'))
    await this.arrange()
    this.emit('unheld', 'transfer')
  }

  /**
   * The target takes the side that is transferred.
   * @returns false if the target has left already
   */
  async handOver(side: Side, next: Reached, cause: string): Promise<boolean> {
    if (next.channel.end || !(await this.put(side, next, { cause, handsOver: true }))) return false
    this.emit('unheld', 'transfer')
    return true
  }

  /** Tracks a leg that is in the bridge, or about to join it. */
  add(reached: Reached): void {
    if (this.parties.has(reached)) return
    const { leg, channel } = reached
    const answeredAt = leg.answered_at ?? channel.answeredAt ?? new Date()
    leg.answered_at = answeredAt
    this.options.legAnswered(reached, answeredAt)
    this.follow(reached)
  }

  private follow(reached: Reached): void {
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
    const isHandingOver = this.bearer === 'operator' && !this.bearing.channel.end && !this.other.channel.end
    if (!isHandingOver) {
      this.letGo(cause)
      return
    }
    this.inTurn(async () => this.seat(this.sides, 'line'))
      .then(() => this.letGo(cause))
      .catch((error: unknown) => this.fail(error))
  }

  /** Hangs up all legs but the primary one. */
  private letGo(cause: string): void {
    for (const { channel } of this.reached) void channel.hangUp(cause).catch(() => undefined)
    if (this.other.channel.end) this.finish()
    else this.holders.delete('transfer')
  }

  private get bearing(): Reached {
    return this.sides[this.bearer]
  }

  private get other(): Reached {
    return this.sides[this.bearer === 'line' ? 'operator' : 'line']
  }

  private left(reached: Reached): void {
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
    if (this.bearer === 'operator') void this.bearing.channel.hangUp('NORMAL_CLEARING').catch(() => undefined)
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
    this.letGo('NORMAL_TEMPORARY_FAILURE')
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
    next: Reached,
    how: { cause: string; handsOver?: true; before?: Reached },
  ): Promise<boolean> {
    const { cause, handsOver } = how
    const before = await this.inTurn(async () => {
      const { sides } = this
      const seats = { ...sides, [side]: next }
      if (this.finished || (how.before && sides[side] !== how.before)) return null
      if (!(await (handsOver ? this.seat(seats, 'line', side) : this.seat(seats, this.bearer)))) return null
      this.muted.delete(side)
      const leaving = sides[side] === next ? undefined : sides[side].channel
      await this.bridge.part(sides.line.channel, sides.operator.channel, leaving)
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
  private async seat(sides: Sides, bearer: Side, handsOver?: Side): Promise<boolean> {
    const before = this.bearing
    const next = sides[bearer]
    if (next !== before) {
      const mark = talkVariables(this.markFor(sides, bearer, handsOver))
      if (!(await passOn(before.channel, next.channel, mark)) || before.channel.end) return false
      this.bridge.setParks(next.channel, true)
    }
    const fresh = [sides.line, sides.operator].filter((one) => one !== before && !this.parties.has(one))
    this.sides = sides
    this.bearer = bearer
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
    this.options.borneBy(next)
    this.follow(before)
    return true
  }

  /** Brings the switch into the state of the bridge. */
  private async arrange(): Promise<void> {
    await this.inTurn(async () => {
      if (this.finished || this.bearing.channel.end) return
      if (this.other.channel.end && !this.holders.has('transfer')) {
        this.finish()
        return
      }
      if (this.holders.size > 0) {
        await this.mark(true)
        await this.bridge.part(this.line.channel, this.operator.channel)
        await this.play()
        return
      }
      await this.play()
      await this.bridge.join(this.bearing.channel, this.other.channel)
      if (this.marked) await this.mark(false)
    })
  }

  /** Plays each side its current sound. */
  private async play(): Promise<void> {
    const sides = ['line', 'operator'] as const
    await Promise.all(
      sides.map(async (side) => this.sounds.play(side, this.channel(side), this.soundFor(side))),
    )
  }

  private soundFor(side: Side): string | null {
    if (this.finished || this.holders.size === 0 || this.deaf.has(this.sides[side])) return null
    if (this.holders.has('transfer')) return side === this.bearer ? this.tones.waits : this.tones.from
    return this.holders.has(side === 'line' ? 'operator' : 'line') ? builtInMusic : silence
  }

  /** Writes the recovery variables on the primary leg, or clears them. */
  private async mark(keep: boolean): Promise<void> {
    this.marked = keep
    const mark = keep ? this.markFor(this.sides, this.bearer) : null
    await this.bearing.channel.setVariables(talkVariables(mark)).catch((error: unknown) => {
      if (!(error instanceof SwitchRefusedError)) throw error
    })
  }

  /** @param handsOver see {@link seat} */
  private markFor(sides: Sides, bearer: Side, handsOver?: Side): TalkMark {
    const otherId = sides[bearer === 'line' ? 'operator' : 'line'].channel.id
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
