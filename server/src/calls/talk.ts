/**
 * The talk of a call's line with the one it is connected with: joined, or parted for a while. It ends when the operator
 * leaves, or the call goes on with something else. One of both bears the call, which ends when they leave: the line, but
 * while that is handed over to somebody else the one who waits. What the switch must know for a later process stands in
 * variables of their channel.
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

/** For whoever has put the other one on hold: phones give up a call in which nothing comes. */
export const silence = 'silence_stream://-1'

/** What both hear while one of them hands the other one over; null for nothing. */
export interface TransferTones {
  /** Who hands them over. */
  readonly from: string | null
  readonly waits: string | null
}

/** Who has which place. */
type Sides = Readonly<Record<Side, Reached>>

/** As long as an earlier process has not told more. */
const untouched: TransferTones = { from: null, waits: builtInMusic }

interface TalkEvents {
  /** Somebody else has a place now. */
  replaced: []
  /** Who hands the other one over has left, and the transfer decides what comes of the talk. */
  left: []
  held: [by: Holder]
  unheld: [by: Holder]
  over: []
}

/** What an earlier process left of a talk. */
export interface FoundTalk {
  bearer: Side
  holders: readonly Holder[]
  /** Whether the switch has both joined. */
  bridged: boolean
  muted: readonly Side[]
  /** Whose far end was in the earlier process: nothing comes from there, so that a playback to it breaks seconds late. */
  deaf: readonly Side[]
}

interface TalkOptions {
  /** Whether they may see each other too. */
  isVideo: boolean
  legAnswered(reached: Reached, at: Date): void
  legEnded(reached: Reached, end: ChannelEnd): void
  /** The call stands and falls with another one from now on. */
  borneBy(now: Reached): void
  /** The program goes on with another channel, when the talk is over. */
  lineReplaced(before: Reached, now: Reached): void
}

export class Talk extends EventEmitter<TalkEvents> {
  private readonly holders = new Set<Holder>()
  private readonly sounds = new TalkSounds()
  private readonly parties = new Set<Reached>()
  private readonly bridge: TalkBridge
  private readonly muted = new Set<Side>()
  /** Who is played nothing: see {@link FoundTalk}. */
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

  /** On whose channel the program goes on; they may have left while they are handing the operator over. */
  get line(): Reached {
    return this.sides.line
  }

  /** Whom the line is connected with; they may have left while a transfer runs. */
  get operator(): Reached {
    return this.sides.operator
  }

  at(side: Side): Reached {
    return this.sides[side]
  }

  get isOver(): boolean {
    return this.finished
  }

  /** All who are in it beside the one who bears the call. */
  get reached(): Reached[] {
    return [...this.parties].filter(({ channel }) => !channel.end)
  }

  isHeldBy(holder: Holder): boolean {
    return this.holders.has(holder)
  }

  /** Whether anybody holds it, or hands it over. */
  get isParted(): boolean {
    return this.holders.size > 0
  }

  /**
   * Joins both and waits until they part for good.
   * @param found null for a talk that begins
   * @throws {SwitchDownError} the link was lost meanwhile
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

  /** Lets the other side, or both for a transfer, hear music in the place of who holds; harmless when it is so. */
  async hold(by: Holder): Promise<void> {
    if (this.holders.has(by) || this.finished) return
    this.holders.add(by)
    await this.arrange()
    this.emit('held', by)
  }

  /** They hear each other again, unless another one holds; harmless when it is so. */
  async unhold(by: Holder): Promise<void> {
    if (!this.holders.delete(by)) return
    await this.arrange()
    this.emit('unheld', by)
  }

  /** Whether a side is not heard by the other one. */
  async mute(side: Side, on: boolean): Promise<void> {
    if (this.muted.has(side) === on) return
    if (on) this.muted.add(side)
    else this.muted.delete(side)
    await this.channel(side).mute(on)
  }

  /** The other side hears keys as if a side had pressed them. */
  async press(side: Side, keys: string): Promise<void> {
    await this.channel(side).receiveKeys(keys)
  }

  /**
   * Gives a place to another channel, which has answered; the one who had it is let go.
   * @param before who must have the place still; undefined: whoever has it
   * @throws when the talk is over, one who bears the call has just left, or somebody else has the place now
   */
  async replace(side: Side, next: Reached, before?: Reached): Promise<void> {
    if (!(await this.put(side, next, { cause: 'NORMAL_CLEARING', ...(before && { before }) })))
      throw new Error('a talk has changed meanwhile')
  }

  /**
   * A transfer takes both apart, or goes a step further.
   * @returns false when one of both has left instead
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

  /** The transfer is over: both are joined again, or nothing is left of the talk. */
  async transferred(): Promise<void> {
    if (!this.endTransfer()) return
    await this.inTurn(async () => this.seat(this.sides, 'line'))
    await this.arrange()
    this.emit('unheld', 'transfer')
  }

  /** Somebody else takes the place that is handed over. @returns false when they have left already */
  async handOver(side: Side, next: Reached, cause: string): Promise<boolean> {
    if (next.channel.end || !(await this.put(side, next, { cause, handsOver: true }))) return false
    this.emit('unheld', 'transfer')
    return true
  }

  /** Follows a leg that is in the talk, or about to come into it. */
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
      // The end of who bears the call is that of the call.
      if (!this.parties.delete(reached)) return
      this.options.legEnded(reached, end)
      this.left(reached)
    }
    channel.once('ended', ended)
    channel.once('abandoned', () => this.fail(new SwitchDownError()))
    if (channel.end) ended(channel.end)
  }

  /** Lets everybody go but the line. */
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

  /** Lets everybody go but who bears the call. */
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
    // There is nothing that the program could go on with.
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
    // Both cannot be joined: as good as a line that drops.
    this.letGo('NORMAL_TEMPORARY_FAILURE')
  }

  private channel(side: Side): Channel {
    return this.sides[side].channel
  }

  /**
   * @param how with which cause the one is let go who had the place, whether that ends a transfer of theirs, and who that
   * must be
   * @returns false when nothing has changed: one who bears the call, or is to, has left, or the place is another one's
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
   * Sets who has which place, and who bears the call.
   * @param handsOver the side whose transfer ends with that
   * @returns false when one who bears it, or is to, has left
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

  /** Brings the switch to what the talk is now. */
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

  /** Lets both hear what they are to hear now. */
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

  /** Keeps with who bears the call what a later process must know, or that there is nothing. */
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
