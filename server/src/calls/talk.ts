/**
 * The talk of a call's line with the one it is connected with: joined, or parted for a while. It ends when the operator
 * leaves, or the call goes on with something else; what the switch must know of it for a later process stands in
 * variables of the line's channel.
 */
import { EventEmitter } from 'node:events'
import type { Channel } from '../switch/channel.js'
import type { ChannelEnd } from '../switch/channel-end.js'
import { SwitchDownError, SwitchRefusedError } from '../switch/errors.js'
import type { Reached } from './hunt.js'
import { Music } from './music.js'
import { builtInMusic } from './queue/hold.js'
import { type Holder, type TransferMark, talkVariables } from './talk-mark.js'

/** For whoever has put the other one on hold: phones give up a call in which nothing comes. */
const silence = 'silence_stream://-1'

/** One of both ends of a talk. */
export type Side = 'line' | 'operator'

interface TalkEvents {
  /** Somebody else is the operator now. */
  operator: [now: Reached]
  /** The operator has left, and a transfer decides what comes of the talk. */
  left: []
  held: [by: Holder]
  unheld: [by: Holder]
  over: []
}

/** What an earlier process left of a talk. */
export interface FoundTalk {
  holders: readonly Holder[]
  /** Whether the switch has both joined. */
  bridged: boolean
  muted: readonly Side[]
}

interface TalkOptions {
  line: Channel
  /** Whether they may see each other too. */
  isVideo: boolean
  legAnswered(reached: Reached, at: Date): void
  legEnded(reached: Reached, end: ChannelEnd): void
}

export class Talk extends EventEmitter<TalkEvents> {
  private readonly holders = new Set<Holder>()
  private readonly music = new Map<Side, Music>()
  private readonly parties = new Set<Reached>()
  /** Channels that are parked after a bridge, and not let go. */
  private readonly parks = new WeakSet<Channel>()
  private readonly muted = new Set<Side>()
  private turn: Promise<unknown> = Promise.resolve()
  private joined = false
  private marked = false
  private finished = false
  private settle: (error?: Error) => void = () => undefined
  /** Kept with the line's channel while there is one. */
  private transferMark: TransferMark | null = null
  /** What the operator hears while a transfer has them wait. */
  private operatorTone: string | null = null

  constructor(
    private current: Reached,
    private readonly options: TalkOptions,
  ) {
    super()
    this.setMaxListeners(50)
  }

  /** Whom the line is connected with; they may have left while a transfer runs. */
  get operator(): Reached {
    return this.current
  }

  get isOver(): boolean {
    return this.finished
  }

  /** All who are in it beside the line. */
  get reached(): Reached[] {
    return [...this.parties].filter(({ channel }) => !channel.end)
  }

  isHeldBy(holder: Holder): boolean {
    return this.holders.has(holder)
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
    this.joined = found?.bridged ?? false
    this.marked = found !== null
    if (this.joined) this.options.line.takeUpBridge()
    const end = () => this.end('NORMAL_CLEARING')
    this.add(this.current)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    else this.arrange().catch((error: unknown) => this.fail(error))
    try {
      await over
      await this.turn
      await Promise.all([...this.music.values()].map(async (one) => one.stop()))
      if (this.marked && !this.options.line.end) await this.mark(false)
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

  isMuted(side: Side): boolean {
    return this.muted.has(side)
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

  /** Gives the operator's place to another channel, which has answered; the one who had it is let go. */
  async replaceOperator(next: Reached, cause = 'NORMAL_CLEARING'): Promise<void> {
    const before = this.current
    if (this.finished) throw new Error('the talk is over')
    await this.inTurn(async () => {
      this.current = next
      this.muted.delete('operator')
      this.add(next)
      await this.mark(true)
      await this.part(before)
      if (before !== next) void before.channel.hangUp(cause).catch(() => undefined)
    })
    this.emit('operator', next)
    await this.arrange()
  }

  /** A transfer takes both apart, or goes a step further. @param tone what the operator hears meanwhile; null for nothing */
  async transferring(mark: TransferMark, tone: string | null): Promise<void> {
    this.transferMark = mark
    this.operatorTone = tone
    const begins = !this.holders.has('transfer')
    this.holders.add('transfer')
    await this.arrange()
    if (begins) this.emit('held', 'transfer')
  }

  /** The transfer is over: both are joined again, or nothing is left of the talk. */
  async transferred(): Promise<void> {
    this.transferMark = null
    this.operatorTone = null
    await this.unhold('transfer')
  }

  /** The operator's part in the transfer is done: somebody else takes their place. */
  async handOver(next: Reached, cause: string): Promise<void> {
    this.transferMark = null
    this.operatorTone = null
    this.holders.delete('operator')
    this.holders.delete('transfer')
    await this.replaceOperator(next, cause)
    this.emit('unheld', 'transfer')
  }

  /** Follows a leg that is in the talk, or about to come into it. */
  add(reached: Reached): void {
    if (this.parties.has(reached)) return
    this.parties.add(reached)
    const { leg, channel } = reached
    const answeredAt = leg.answered_at ?? channel.answeredAt ?? new Date()
    leg.answered_at = answeredAt
    this.options.legAnswered(reached, answeredAt)
    const ended = (end: ChannelEnd) => {
      this.parties.delete(reached)
      this.options.legEnded(reached, end)
      this.left(reached)
    }
    channel.once('ended', ended)
    channel.once('abandoned', () => this.fail(new SwitchDownError()))
    if (channel.end) ended(channel.end)
  }

  /** Lets everybody go but the line. */
  end(cause: string): void {
    const parties = this.reached
    for (const { channel } of parties) void channel.hangUp(cause).catch(() => undefined)
    if (this.current.channel.end) this.finish()
    else this.holders.delete('transfer')
  }

  private left(reached: Reached): void {
    if (reached !== this.current || this.finished) return
    if (this.holders.has('transfer')) this.emit('left')
    else this.finish()
  }

  private finish(): void {
    if (this.finished) return
    this.finished = true
    this.holders.clear()
    this.transferMark = null
    this.settle()
  }

  private fail(error: unknown): void {
    if (this.finished) return
    if (error instanceof SwitchDownError) {
      this.finished = true
      this.settle(error)
      return
    }
    // Both cannot be joined: as good as a line that drops.
    this.end('NORMAL_TEMPORARY_FAILURE')
  }

  private channel(side: Side): Channel {
    return side === 'line' ? this.options.line : this.current.channel
  }

  /** Brings the switch to what the talk is now. */
  private async arrange(): Promise<void> {
    await this.inTurn(async () => {
      if (this.finished || this.options.line.end) return
      if (this.current.channel.end && !this.holders.has('transfer')) {
        this.finish()
        return
      }
      if (this.holders.size > 0) {
        await this.mark(true)
        await this.part(this.current)
        await Promise.all([this.play('line'), this.play('operator')])
        return
      }
      await Promise.all([this.play('line'), this.play('operator')])
      await this.join()
      if (this.marked) await this.mark(false)
    })
  }

  private async join(): Promise<void> {
    const { line } = this.options
    const { channel } = this.current
    if (this.joined) return
    this.joined = true
    try {
      await line.bridgeTo(channel)
      if (this.options.isVideo) await Promise.all([line.refreshVideo(), channel.refreshVideo()])
      // The switch lets the operator go with the line, also when nobody drives the call.
      if (this.parks.delete(channel)) await channel.parkAfterBridge(false)
    } catch (error) {
      this.joined = false
      // One of both has just left: that is told by its own event.
      if (!(error instanceof SwitchRefusedError)) throw error
      if (!line.end) await channel.hangUp('NORMAL_TEMPORARY_FAILURE')
    }
  }

  private async part({ channel }: Reached): Promise<void> {
    if (!this.joined) return
    this.joined = false
    this.parks.add(channel)
    await this.options.line.partFrom(channel)
  }

  /** Lets a side hear what it is to hear now. */
  private async play(side: Side): Promise<void> {
    const channel = this.channel(side)
    const source = this.soundFor(side)
    const playing = this.music.get(side)
    if (playing?.channel === channel && playing.source === source) return
    this.music.delete(side)
    await playing?.stop()
    if (source !== null && !channel.end) this.music.set(side, new Music(channel, source))
  }

  private soundFor(side: Side): string | null {
    if (this.finished || this.holders.size === 0) return null
    if (this.holders.has('transfer')) return side === 'line' ? builtInMusic : this.operatorTone
    return this.holders.has(side === 'line' ? 'operator' : 'line') ? builtInMusic : silence
  }

  /** Keeps with the line's channel what a later process must know, or that there is nothing. */
  private async mark(keep: boolean): Promise<void> {
    this.marked = keep
    const { channel } = this.current
    const mark = { operatorId: channel.id, holders: [...this.holders], transfer: this.transferMark }
    await this.options.line.setVariables(talkVariables(keep ? mark : null)).catch((error: unknown) => {
      if (!(error instanceof SwitchRefusedError)) throw error
    })
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.turn.then(work)
    this.turn = turn.catch(() => undefined)
    return turn
  }
}
