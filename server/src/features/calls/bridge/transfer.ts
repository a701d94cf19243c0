/**
 * A transfer: blind, or after the agent has consulted the target. The agent's partner waits meanwhile; on failure it
 * returns to the agent, who is rung again after having left.
 */
import type { Outcome } from '../model/outcomes.js'
import type { AnsweredLeg } from '../model/answered-leg.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import { type Bridge, type TransferTones, silence } from './bridge.js'
import { builtInMusic } from '../../../adapters/freeswitch/hold-music.js'
import { ringbackTone } from '../dialling/ringback.js'
import type { TransferState } from './bridge-state.js'
import { transferCause } from '../model/termination.js'

/** How a transfer ended: `completed`, `canceled`, or why the target was not reached. */
export type TransferOutcome = Outcome

/** An agent hears ringback, and the waiting side music. */
export const tonesOfPerson: TransferTones = { from: ringbackTone, waits: builtInMusic }

/** A voice agent hears nothing, and the waiting side ringback. */
export const tonesOfVoiceAgent: TransferTones = { from: silence, waits: ringbackTone }

/** Hang-up cause of an agent who has handed a call over without consulting the target. */
const blindTransferCause = 'BLIND_TRANSFER'

interface TransferOptions {
  bridge: Bridge
  mark: Omit<TransferState, 'channelId'>
  /** True if the call carries video. */
  isVideo: boolean
  /** Sounds for both until the target has answered. */
  readonly tones: TransferTones
  /**
   * Dials the target.
   * @param waits called when the partner waits in the target's queue: the agent is needed no longer
   */
  readonly ring: (signal: AbortSignal, waits: () => void) => Promise<AnsweredLeg | Outcome>
  /** Rings the agent back who has left meanwhile. */
  readonly ringBack: (signal: AbortSignal) => Promise<AnsweredLeg | Outcome>
  /** Hangs up a leg that answered but is not needed any more. */
  readonly drop: (reached: AnsweredLeg) => void
  /** Called when the agent, the partner and the target talk. */
  readonly threeWayBegan: () => void
  /** Aborted when the bridge must end. */
  signal: AbortSignal
}

const noTones: TransferTones = { from: null, waits: null }

/** Who talks with the target during a consultation. */
interface Talk {
  agent: Channel
  isThreeWay: boolean
  /** True once the switch has joined them. */
  isJoined: boolean
}

/** A target that answered under the previous process. */
export interface Consulted {
  reached: AnsweredLeg
  /** True if the switch has bridged it with the agent. */
  bridged: boolean
}

export class Transfer {
  private readonly canceled = new AbortController()
  private isCompleting = false
  private isThreeWay: boolean
  private begin: () => void = () => undefined
  private phase: 'ringing' | 'consulting' | 'over' = 'ringing'
  private wake: () => void = () => undefined
  private settle: (outcome: TransferOutcome) => void = () => undefined

  /** Username of the agent who started it. */
  get begunBy(): string {
    return this.options.mark.by
  }

  /** Resolves when it is over; with `left` also when the connection to the switch was lost. */
  readonly ended = new Promise<TransferOutcome>((resolve) => {
    this.settle = resolve
  })

  /** Resolves when the agent may leave: the partner waits. */
  readonly begun = new Promise<void>((resolve) => {
    this.begin = resolve
  })

  constructor(private readonly options: TransferOptions) {
    this.isThreeWay = options.mark.isThreeWay === true
  }

  /**
   * Runs until the waiting side is with the target, or back with the agent.
   * @throws {SwitchDownError}
   */
  async run(found: Consulted | null = null): Promise<TransferOutcome> {
    const { bridge } = this.options
    const moved = () => this.wake()
    bridge.on('left', moved)
    bridge.on('over', moved)
    bridge.on('replaced', moved)
    try {
      const outcome = await this.drive(found)
      this.settle(outcome)
      return outcome
    } finally {
      this.settle('left')
      this.phase = 'over'
      this.begin()
      bridge.off('left', moved)
      bridge.off('over', moved)
      bridge.off('replaced', moved)
    }
  }

  /** Bridges the waiting side with the target: now, or when the target answers. */
  complete(): void {
    this.isCompleting = true
    this.wake()
  }

  /**
   * Makes the consultation a three-way call: the waiting side joins it.
   * @returns false if they do not talk yet
   */
  startThreeWay(): boolean {
    if (!this.isConsulting) return false
    this.isThreeWay = true
    this.wake()
    return true
  }

  /** Returns the waiting side to the agent. */
  cancel(): void {
    this.canceled.abort()
    this.wake()
  }

  /** True while the agent consults the target. */
  get isConsulting(): boolean {
    return this.phase === 'consulting'
  }

  private async drive(found: Consulted | null): Promise<TransferOutcome> {
    const { bridge, mark, tones, signal, drop } = this.options
    if (!found && !(await bridge.transferring({ ...mark, channelId: '' }, tones))) return 'left'
    this.begin()
    const ends = AbortSignal.any([signal, this.canceled.signal])
    const reached = found?.reached ?? (await this.options.ring(ends, () => this.release()))
    if (typeof reached === 'string') {
      return this.backToAgent(this.canceled.signal.aborted ? 'canceled' : reached)
    }
    if (bridge.isOver || ends.aborted) {
      drop(reached)
      return this.backToAgent('canceled')
    }
    if (!mark.consult || this.isSettled(reached)) {
      const cause = mark.consult ? transferCause : blindTransferCause
      if (await bridge.handOver(mark.side, reached, cause)) return 'completed'
      drop(reached)
      return this.backToAgent('left')
    }
    const outcome = await this.consult(reached, found?.bridged ?? false)
    if (outcome !== 'completed') return this.backToAgent(outcome)
    if (await bridge.handOver(mark.side, reached, transferCause)) return 'completed'
    return this.backToAgent('left')
  }

  /** The agent consults the target, alone or with the partner, until one of them decides. */
  private async consult(target: AnsweredLeg, bridged: boolean): Promise<TransferOutcome> {
    const { bridge, mark } = this.options
    this.phase = 'consulting'
    bridge.add(target)
    target.channel.once('ended', () => this.wake())
    let talk: Talk = { agent: this.agent, isThreeWay: false, isJoined: bridged }
    const isCurrent = () => talk.isJoined && talk.agent === this.agent && talk.isThreeWay === this.isThreeWay
    if (!this.isThreeWay) {
      const tones = { ...this.options.tones, from: null }
      await bridge.transferring({ ...mark, channelId: target.channel.id }, tones)
    }
    while (!this.isSettled(target)) {
      if (!isCurrent()) {
        // The three are together from now on, or the agent's app has reconnected with another channel.
        talk = await this.talk(target.channel, talk)
        continue
      }
      await new Promise<void>((resolve) => {
        this.wake = resolve
        if (this.isSettled(target) || !isCurrent()) resolve()
      })
    }
    this.wake = () => undefined
    if (target.channel.end || bridge.isOver) return 'left'
    if (talk.isThreeWay) await target.channel.park()
    else if (!talk.agent.end) await talk.agent.partFrom(target.channel)
    if (!this.canceled.signal.aborted) return 'completed'
    await target.channel.hangUp('NORMAL_CLEARING')
    return 'canceled'
  }

  /** Lets the agent and the target talk, with the partner if that was asked for. */
  private async talk(target: Channel, before: Talk): Promise<Talk> {
    const { agent, isThreeWay } = this
    if (!isThreeWay) {
      await this.join(agent, target)
      return { agent, isThreeWay, isJoined: true }
    }
    if (before.isJoined && !before.isThreeWay && !before.agent.end) await before.agent.partFrom(target)
    else await target.park()
    const { bridge, mark } = this.options
    await bridge.transferring({ ...mark, channelId: target.id, isThreeWay }, noTones)
    // A leg that hears and is heard by both sides of the bridge: no mixer is needed.
    void target.eavesdrop(agent.id, 'barge').catch(() => undefined)
    if (!before.isThreeWay) this.options.threeWayBegan()
    return { agent, isThreeWay, isJoined: true }
  }

  /** The partner waits in a queue: the agent leaves, and is rung again if the wait is in vain. */
  private release(): void {
    void this.agent.hangUp(blindTransferCause).catch(() => undefined)
  }

  /** The channel of the transferring party. */
  private get agent(): Channel {
    return this.options.bridge.at(this.options.mark.side).channel
  }

  /** Parks both when the bridge ends: the transfer decides how each continues. */
  private async join(agent: Channel, target: Channel): Promise<void> {
    await Promise.all([agent.parkAfterBridge(true), target.parkAfterBridge(true)])
    await agent.bridgeTo(target, this.options.isVideo).catch(() => undefined)
  }

  /** True if the consultation is decided. An agent who leaves completes the transfer. */
  private isSettled({ channel }: AnsweredLeg): boolean {
    const { bridge } = this.options
    const agentLeft = this.agent.end !== undefined
    return (
      this.isCompleting ||
      this.canceled.signal.aborted ||
      agentLeft ||
      bridge.isOver ||
      channel.end !== undefined
    )
  }

  private async backToAgent(outcome: TransferOutcome): Promise<TransferOutcome> {
    const { bridge, mark, ringBack, signal, drop } = this.options
    if (bridge.isOver) return outcome
    if (this.agent.end && !signal.aborted) {
      const back = await ringBack(signal)
      if (typeof back !== 'string') {
        if (!bridge.isOver && (await bridge.handOver(mark.side, back, 'NORMAL_CLEARING'))) return outcome
        drop(back)
      }
    }
    await bridge.transferred()
    return outcome
  }
}
