/**
 * Handing a call over to somebody else: at once, or after the agent has spoken with them. Whom the agent talked with
 * waits meanwhile; when it fails, they are back with the agent, who is rung again if they have left.
 */
import type { Channel } from '../switch/channel.js'
import type { Reached } from './hunt.js'
import type { Outcome } from './program.js'
import { type Talk, type TransferTones, silence } from './talk.js'
import { builtInMusic } from '../switch/hold-music.js'
import { ringbackTone } from './ringback.js'
import type { TransferMark } from './talk-mark.js'

/** How a transfer ended: `completed`, `canceled`, or why the target was not reached. */
export type TransferOutcome = Outcome

/** An agent hears that it rings, and whom they talked with music. */
export const tonesOfPerson: TransferTones = { from: ringbackTone, waits: builtInMusic }

/** A voice agent hears nothing, and whom it talked with that it rings. */
export const tonesOfVoiceAgent: TransferTones = { from: silence, waits: ringbackTone }

interface TransferOptions {
  talk: Talk
  mark: Omit<TransferMark, 'channelId'>
  /** Whether the call shows both to each other. */
  isVideo: boolean
  /** What both hear until the target has answered. */
  readonly tones: TransferTones
  /** Rings the target. */
  readonly ring: (signal: AbortSignal) => Promise<Reached | Outcome>
  /** Rings the agent who has left in the meantime. */
  readonly ringBack: (signal: AbortSignal) => Promise<Reached | Outcome>
  /** Lets somebody go who has answered, and is not wanted any more. */
  readonly drop: (reached: Reached) => void
  /** Aborted when the talk is to end. */
  signal: AbortSignal
}

/** A target who has answered under an earlier process. */
export interface Consulted {
  reached: Reached
  /** Whether the switch has them joined with the agent. */
  bridged: boolean
}

export class Transfer {
  private readonly canceled = new AbortController()
  private isCompleting = false
  private begin: () => void = () => undefined
  private phase: 'ringing' | 'consulting' | 'over' = 'ringing'
  private wake: () => void = () => undefined
  private settle: (outcome: TransferOutcome) => void = () => undefined

  /** The username of who began it. */
  get begunBy(): string {
    return this.options.mark.by
  }

  /** Resolves when it is over, with `left` also when the link to the switch was lost. */
  readonly ended = new Promise<TransferOutcome>((resolve) => {
    this.settle = resolve
  })

  /** Resolves when the agent may leave: who talked with them waits. */
  readonly begun = new Promise<void>((resolve) => {
    this.begin = resolve
  })

  constructor(private readonly options: TransferOptions) {}

  /** Runs until who waits is with the target, or again with the agent. @throws {SwitchDownError} */
  async run(found: Consulted | null = null): Promise<TransferOutcome> {
    const { talk } = this.options
    const moved = () => this.wake()
    talk.on('left', moved)
    talk.on('over', moved)
    talk.on('replaced', moved)
    try {
      const outcome = await this.drive(found)
      this.settle(outcome)
      return outcome
    } finally {
      this.settle('left')
      this.phase = 'over'
      this.begin()
      talk.off('left', moved)
      talk.off('over', moved)
      talk.off('replaced', moved)
    }
  }

  /** Joins who waits with the target: now, or as soon as they answer. */
  complete(): void {
    this.isCompleting = true
    this.wake()
  }

  /** Brings who waits back to the agent. */
  cancel(): void {
    this.canceled.abort()
    this.wake()
  }

  /** Whether the agent speaks with the target. */
  get isConsulting(): boolean {
    return this.phase === 'consulting'
  }

  private async drive(found: Consulted | null): Promise<TransferOutcome> {
    const { talk, mark, tones, signal, drop } = this.options
    if (!found && !(await talk.transferring({ ...mark, channelId: '' }, tones))) return 'left'
    this.begin()
    const ends = AbortSignal.any([signal, this.canceled.signal])
    const reached = found?.reached ?? (await this.options.ring(ends))
    if (typeof reached === 'string') {
      return this.backToAgent(this.canceled.signal.aborted ? 'canceled' : reached)
    }
    if (talk.isOver || ends.aborted) {
      drop(reached)
      return this.backToAgent('canceled')
    }
    if (!mark.consult || this.isSettled(reached)) {
      const cause = mark.consult ? 'ATTENDED_TRANSFER' : 'BLIND_TRANSFER'
      if (await talk.handOver(mark.side, reached, cause)) return 'completed'
      drop(reached)
      return this.backToAgent('left')
    }
    const outcome = await this.consult(reached, found?.bridged ?? false)
    if (outcome !== 'completed') return this.backToAgent(outcome)
    if (await talk.handOver(mark.side, reached, 'ATTENDED_TRANSFER')) return 'completed'
    return this.backToAgent('left')
  }

  /** The agent speaks with the target, until one of both decides. */
  private async consult(target: Reached, bridged: boolean): Promise<TransferOutcome> {
    const { talk, mark } = this.options
    let agent = this.agent
    this.phase = 'consulting'
    talk.add(target)
    target.channel.once('ended', () => this.wake())
    await talk.transferring({ ...mark, channelId: target.channel.id }, { ...this.options.tones, from: null })
    if (!bridged) await this.join(agent, target.channel)
    while (!this.isSettled(target)) {
      // The agent's app has come back with another channel.
      if (this.agent !== agent) {
        agent = this.agent
        await this.join(agent, target.channel)
        continue
      }
      await new Promise<void>((resolve) => {
        this.wake = resolve
        if (this.isSettled(target) || this.agent !== agent) resolve()
      })
    }
    this.wake = () => undefined
    if (target.channel.end || talk.isOver) return 'left'
    if (!agent.end) await agent.partFrom(target.channel)
    if (!this.canceled.signal.aborted) return 'completed'
    await target.channel.hangUp('NORMAL_CLEARING')
    return 'canceled'
  }

  /** The channel of who hands the other one over. */
  private get agent(): Channel {
    return this.options.talk.at(this.options.mark.side).channel
  }

  /** Both are parked when the other one leaves: what becomes of them is decided here. */
  private async join(agent: Channel, target: Channel): Promise<void> {
    await Promise.all([agent.parkAfterBridge(true), target.parkAfterBridge(true)])
    await agent.bridgeTo(target, this.options.isVideo).catch(() => undefined)
  }

  /** Whether it is decided what becomes of a target who has answered. The agent who leaves has handed over. */
  private isSettled({ channel }: Reached): boolean {
    const { talk } = this.options
    const agentLeft = this.agent.end !== undefined
    return (
      this.isCompleting ||
      this.canceled.signal.aborted ||
      agentLeft ||
      talk.isOver ||
      channel.end !== undefined
    )
  }

  private async backToAgent(outcome: TransferOutcome): Promise<TransferOutcome> {
    const { talk, mark, ringBack, signal, drop } = this.options
    if (talk.isOver) return outcome
    if (this.agent.end && !signal.aborted) {
      const back = await ringBack(signal)
      if (typeof back !== 'string') {
        if (!talk.isOver && (await talk.handOver(mark.side, back, 'NORMAL_CLEARING'))) return outcome
        drop(back)
      }
    }
    await talk.transferred()
    return outcome
  }
}
