/** Letting somebody go who was rung, or reached, and is not wanted. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelEnd } from '../switch/channel-end.js'
import type { CallStore } from './call-store.js'
import type { DurableWrites } from './durable-writes.js'
import { type Reached, lostRace } from './hunt.js'

/** Who is let go is gone within this, in milliseconds. */
const letGoMs = 2_000

/** Of those whom an earlier process was ringing, or had reached: hangs up and waits for the end, which is written. */
export async function letGo({ leg, channel }: Reached, store: Pick<CallStore, 'legEnded'>): Promise<void> {
  const gone = new AbortController()
  const ended = (end: ChannelEnd) => {
    gone.abort()
    void store.legEnded(leg, end).catch(() => undefined)
  }
  channel.once('ended', ended)
  if (channel.end) ended(channel.end)
  await channel.hangUp('NORMAL_CLEARING')
  await sleep(letGoMs, undefined, { signal: gone.signal }).catch(() => undefined)
}

/** Hangs up on somebody who has answered in vain; the end is written when it comes. */
export function drop(
  { leg, channel }: Reached,
  store: Pick<CallStore, 'legEnded'>,
  writes: DurableWrites,
): void {
  const ended = (end: ChannelEnd) => void writes.add(async () => store.legEnded(leg, end))
  channel.once('ended', ended)
  if (channel.end) ended(channel.end)
  void channel.hangUp(lostRace).catch(() => undefined)
}
