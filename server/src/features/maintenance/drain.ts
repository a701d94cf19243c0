/** Drain for maintenance: no call begins any more, and those that live go on to their end. */
import type { Logger } from 'pino'
import { UnavailableError } from '../../infrastructure/http/errors.js'
import type { PlatformStates } from './platform-states.js'

/** How far it is. */
export interface DrainState {
  draining: boolean
  since: string | null
  live_calls: number
  /** Whether nothing lives any more. */
  empty: boolean
}

interface Options {
  readonly states: PlatformStates
  readonly edge: { readonly isConfigured: boolean; setDraining(isDraining: boolean): Promise<void> }
  readonly liveCalls: () => Promise<number>
  readonly log: Logger
}

const name = 'drain'

/** Seconds after which a call may be tried again. */
const retryAfter = 30

export class Drain {
  /** The last state that the edge was set to; null before this process has set one. */
  private edgeDrains: boolean | null = null

  constructor(private readonly options: Options) {
    options.states.on('read', () => void this.syncEdge())
  }

  get isOn(): boolean {
    return this.options.states.get(name) !== null
  }

  /** @throws {UnavailableError} 503 while no call may begin */
  check(): void {
    if (this.isOn) throw new UnavailableError('No new calls are taken: maintenance', retryAfter)
  }

  async look(): Promise<DrainState> {
    const state = this.options.states.get(name)
    const live_calls = await this.options.liveCalls()
    return {
      draining: state !== null,
      since: state?.since.toISOString() ?? null,
      live_calls,
      empty: live_calls === 0,
    }
  }

  async set(isOn: boolean): Promise<DrainState> {
    if (isOn !== this.isOn) {
      await this.options.states.set(name, isOn ? { value: 'on', until: null } : null, {
        action: isOn ? 'drain.begin' : 'drain.end',
        target: { type: 'drain', id: name },
      })
      await this.syncEdge()
    }
    return this.look()
  }

  /** Kamailio keeps the drain in memory, and may have restarted: it is set again as long as the drain lasts. */
  private async syncEdge(): Promise<void> {
    const { edge, log } = this.options
    const { isOn } = this
    if (!edge.isConfigured || (!isOn && this.edgeDrains === false)) return
    await edge.setDraining(isOn).then(
      () => (this.edgeDrains = isOn),
      (error: unknown) =>
        log.warn({ event: 'edge.drain_failed', err: error }, 'the edge could not be set to drain'),
    )
  }
}
