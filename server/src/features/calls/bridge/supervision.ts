/** A supervisor in a call: follows the agent across channels until agent or supervisor leaves. */
import type { AnsweredLeg } from '../model/answered-leg.js'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel, EavesdropMode } from '../../../adapters/freeswitch/channel.js'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import { ChannelEndedError } from '../../../adapters/freeswitch/channel-end.js'
import { SwitchDownError, SwitchRefusedError } from '../../../adapters/freeswitch/errors.js'
import type { MonitoredAgent } from './monitored.js'

export type SupervisionMode = EavesdropMode

interface Options {
  /** The supervisor's id. */
  agentId: string
  username: string
  callId: string
  monitored: MonitoredAgent
  legAnswered(reached: AnsweredLeg, at: Date): Promise<void>
  legEnded(reached: AnsweredLeg, end: ChannelEnd): Promise<void>
}

/** The switch reports the end of the monitored channel a moment later. */
const againMs = 100

export class Supervision {
  private readonly stopped = new AbortController()
  private current: Channel | undefined
  private isHearing = false

  constructor(
    readonly options: Options,
    private currentMode: SupervisionMode,
  ) {}

  get mode(): SupervisionMode {
    return this.currentMode
  }

  /** Aborted when the supervision must end. */
  get signal(): AbortSignal {
    return this.stopped.signal
  }

  /** The supervisor's channel, once it has answered. */
  get channelId(): string | undefined {
    return this.current?.id
  }

  /** Changes who hears the supervisor. */
  async switchTo(mode: SupervisionMode): Promise<void> {
    this.currentMode = mode
    if (!this.current) return
    await this.current.setVariables({ jackfield_mode: mode })
    if (this.isHearing) await this.current.switchEavesdrop(mode)
  }

  /** Ends it, whether the supervisor has answered or not. */
  stop(): void {
    this.stopped.abort()
    void this.current?.hangUp('NORMAL_CLEARING').catch(() => undefined)
  }

  /** Connects the supervisor to the call; resolves when that is over and their channel gone. */
  async attend(reached: AnsweredLeg): Promise<void> {
    const { channel, leg } = reached
    const { options } = this
    this.current = channel
    const answeredAt = leg.answered_at ?? channel.answeredAt ?? new Date()
    leg.answered_at = answeredAt
    await options.legAnswered(reached, answeredAt)
    const gone = new Promise<void>((resolve) => {
      const ended = (end: ChannelEnd) => {
        this.stopped.abort()
        void options.legEnded(reached, end).then(resolve, resolve)
      }
      channel.once('ended', ended)
      channel.once('abandoned', () => {
        this.stopped.abort()
        resolve()
      })
      if (channel.end) ended(channel.end)
    })
    try {
      await channel.setVariables({ jackfield_mode: this.mode })
      await this.follow(channel)
    } catch (error) {
      const isGone = error instanceof ChannelEndedError || error instanceof SwitchRefusedError
      if (!isGone && !(error instanceof SwitchDownError)) throw error
    } finally {
      this.stop()
    }
    await gone
  }

  /** Restarts the eavesdrop on each channel that takes the agent's side. */
  private async follow(channel: Channel): Promise<void> {
    const { monitored } = this.options
    while (!this.stopped.signal.aborted && !monitored.isOver) {
      const agent = monitored.channel
      if (!agent.end) {
        this.isHearing = true
        await channel.eavesdrop(agent.id, this.mode)
        this.isHearing = false
      }
      await sleep(againMs, undefined, { signal: this.stopped.signal }).catch(() => undefined)
    }
  }
}
