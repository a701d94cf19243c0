/** Releases legs that were dialled or answered and are no longer needed. */
import { type AnsweredLeg, lostRace } from '../model/answered-leg.js'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import type { CallStore } from '../model/call-store.js'
import type { DurableWrites } from '../model/durable-writes.js'

/** A released leg has hung up within this, in milliseconds. */
const releaseMs = 2_000

/** Hangs up a leg that the previous process was dialling or had connected; waits for its end and writes it. */
export async function releaseLeg(
  { leg, channel }: AnsweredLeg,
  store: Pick<CallStore, 'legEnded'>,
): Promise<void> {
  const gone = new AbortController()
  const ended = (end: ChannelEnd) => {
    gone.abort()
    void store.legEnded(leg, end).catch(() => undefined)
  }
  channel.once('ended', ended)
  if (channel.end) ended(channel.end)
  await channel.hangUp('NORMAL_CLEARING')
  await sleep(releaseMs, undefined, { signal: gone.signal }).catch(() => undefined)
}

/** Hangs up a leg that answered but is not needed; its end is written when it comes. */
export function drop(
  { leg, channel }: AnsweredLeg,
  store: Pick<CallStore, 'legEnded'>,
  writes: DurableWrites,
): void {
  const ended = (end: ChannelEnd) => void writes.add(async () => store.legEnded(leg, end))
  channel.once('ended', ended)
  if (channel.end) ended(channel.end)
  void channel.hangUp(lostRace).catch(() => undefined)
}
