/**
 * Finds far ends that are gone. A phone that holds, or is muted without comfort noise, sends nothing and is alive (RFC 3264
 * section 8.4), so a silent far end is asked, by an INFO without a body (RFC 2976 section 2.2). The edge reports one that does
 * not answer (within-dialog.cfg), and its call ends. The switch's `media_timeout` cannot tell these apart: at a hold it sets
 * itself back to what it was (switch_core_media.c, check_media_timeout_params).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel } from './channel.js'

/** Of a leg whose far end may be asked: without it the switch sends INFO only to FreeSWITCH. */
export const askable = { fs_send_unsupported_info: 'true' }

/** How often legs are looked at. */
const roundMs = 15_000

/** A far end that sent no packet for so long is asked, and asked again after as long. */
const patienceMs = 60_000

type Leg = Pick<Channel, 'id' | 'packetsHeard' | 'askPeer'>

interface Silence {
  readonly packets: number
  readonly since: number
}

export class SilentLegs {
  private readonly silences = new Map<string, Silence>()
  private stopping: AbortController | undefined

  /** @param legs those whose far ends may be asked */
  constructor(private readonly legs: () => readonly Leg[]) {}

  start(): void {
    this.stop()
    this.stopping = new AbortController()
    void this.run(this.stopping.signal)
  }

  stop(): void {
    this.stopping?.abort()
    this.stopping = undefined
    this.silences.clear()
  }

  private async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      await sleep(roundMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted) return
      const legs = this.legs()
      const present = new Set(legs.map(({ id }) => id))
      for (const id of this.silences.keys()) if (!present.has(id)) this.silences.delete(id)
      // One at a time: commands that drive calls are not held up.
      for (const leg of legs) {
        if (signal.aborted) return
        await this.look(leg).catch(() => undefined)
      }
    }
  }

  private async look(leg: Leg): Promise<void> {
    const packets = await leg.packetsHeard()
    const now = Date.now()
    const silence = this.silences.get(leg.id)
    if (silence?.packets !== packets) {
      this.silences.set(leg.id, { packets, since: now })
      return
    }
    if (now - silence.since < patienceMs) return
    this.silences.set(leg.id, { packets, since: now })
    await leg.askPeer()
  }
}
