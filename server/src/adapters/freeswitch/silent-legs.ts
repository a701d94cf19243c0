/**
 * Finds far ends that are gone. A phone that holds, or is muted without comfort noise, is alive but sends nothing (RFC 3264
 * section 8.4). So this sends an INFO without a body (RFC 2976 section 2.2) to a silent far end. The edge reports one that does
 * not answer (within-dialog.cfg), and its call ends. The switch's `media_timeout` cannot tell these apart: a hold resets it
 * (switch_core_media.c, check_media_timeout_params).
 */
import type { Channel } from './channel.js'
import { LegRounds } from './leg-rounds.js'

/** For a leg that may get an INFO: without it the switch sends INFO only to FreeSWITCH. */
export const askable = { fs_send_unsupported_info: 'true' }

/** How often legs are polled. */
const roundMs = 15_000

/** A far end that sent no packet for this time gets an INFO, and another one after the same time. */
const patienceMs = 60_000

type Leg = Pick<Channel, 'id' | 'packetsHeard' | 'askPeer'>

interface Silence {
  readonly packets: number
  readonly since: number
  readonly isDue: boolean
}

/** @param legs whose far ends may get an INFO */
export function silentLegs(legs: () => readonly Leg[]): LegRounds<Leg, Silence> {
  return new LegRounds({
    ...{ legs, roundMs },
    look: async (leg, before) => silenceAfter(before, await leg.packetsHeard(), Date.now()),
    act: async (leg) => leg.askPeer(),
  })
}

function silenceAfter(before: Silence | undefined, packets: number, now: number): Silence {
  if (before?.packets !== packets) return { packets, since: now, isDue: false }
  const isDue = now - before.since >= patienceMs
  return { packets, since: isDue ? now : before.since, isDue }
}
