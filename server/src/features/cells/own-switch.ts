/**
 * Whether the switch of the own cell is dead, as this server has seen it for some seconds: the Event Socket cannot be had,
 * and its SIP does not answer either. Its calls are gone then, also where it can start again only hours later.
 */
import type { SwitchLink } from '../../adapters/freeswitch/switch-link.js'
import { answersSip } from './switch-probe.js'

interface Options {
  readonly link: Pick<SwitchLink, 'isUp' | 'isStandby'>
  /** `host:port` at which this machine reaches the switch’s SIP; '' where that is not known, or it has none. */
  readonly sipAddress: string
  /** Whether this server may drive it: another one could not say. */
  readonly mayDrive: () => boolean
  /** Milliseconds by a clock that is never set. */
  readonly now?: (() => number) | undefined
}

/** A switch that just restarts is back within this. */
const deadAfterMs = 15_000

export class OwnSwitch {
  private silentSince: number | null = null

  constructor(private readonly options: Options) {}

  /** Looks; to be asked every few seconds. */
  async isDead(): Promise<boolean> {
    if (await this.lives()) {
      this.silentSince = null
      return false
    }
    const now = (this.options.now ?? (() => performance.now()))()
    this.silentSince ??= now
    return now - this.silentSince >= deadAfterMs
  }

  /** True also when that is unknown. */
  private async lives(): Promise<boolean> {
    const { link, sipAddress, mayDrive } = this.options
    const isLinked = () => link.isUp || link.isStandby || !mayDrive()
    return isLinked() || (await answersSip(sipAddress)) || isLinked()
  }
}
