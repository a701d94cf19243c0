/**
 * Finds far ends whose RTP comes from another port or address than before, as when a NAT changes its mapping. The switch learns
 * the source from the first packets, and again after a re-INVITE; it counts and drops packets from elsewhere (switch_rtp.c,
 * rtp_common_read). A leg whose packets are all dropped gets one re-INVITE with the media that it has.
 *
 * RTP proves nothing about its sender. So a leg is followed only if its own audio arrived until a few seconds ago: a stranger
 * who sends beside it changes nothing, nor one who sends to the port of a phone that is muted or holds.
 */
import type { SoundHeard } from './sound-heard.js'
import type { Channel } from './channel.js'
import { LegRounds } from './leg-rounds.js'

const roundMs = 1_500
/** Between two legs: a hundred of them take a hundredth of the switch's time. */
const gapMs = 10
/** A leg gets no second re-INVITE within this. */
const patienceMs = 30_000
/** Between the last sound of a far end and the first from elsewhere. */
const longestGapMs = 10_000
/** Packets of a round: of comfort noise there are fewer. */
const leastPackets = 20
/** Frames of silence that the switch reads for each packet that it drops. */
const leastSilence = 0.8

type Leg = Pick<Channel, 'id' | 'soundHeard' | 'renewMedia'>

interface Watched extends SoundHeard {
  /** When its own audio last arrived, 0 for never. */
  readonly heardAt: number
  /** Rounds in a row in which all packets were dropped. */
  readonly dropped: number
  readonly renewedAt: number
  readonly isDue: boolean
}

/** @param legs whose far ends may move */
export function movedSources(legs: () => readonly Leg[]): LegRounds<Leg, Watched> {
  return new LegRounds({
    ...{ legs, roundMs, gapMs },
    look: async (leg, before) => {
      const heard = await leg.soundHeard()
      return watchedAfter(before, heard, Date.now())
    },
    act: async (leg) => leg.renewMedia(),
  })
}

function watchedAfter(before: Watched | undefined, heard: SoundHeard, now: number): Watched {
  if (!before) return { ...heard, heardAt: 0, dropped: 0, renewedAt: 0, isDue: false }
  const packets = heard.packets - before.packets
  const isDropped = heard.silences - before.silences >= packets * leastSilence
  const { renewedAt } = before
  if (packets < leastPackets) return { ...before, ...heard, dropped: 0, isDue: false }
  if (!isDropped) return { ...heard, heardAt: now, dropped: 0, renewedAt, isDue: false }
  const isFollowed = before.dropped > 0 || now - before.heardAt < longestGapMs
  const dropped = isFollowed ? before.dropped + 1 : 0
  const isDue = dropped >= 2 && now - renewedAt >= patienceMs
  return { ...heard, heardAt: before.heardAt, dropped, renewedAt: isDue ? now : renewedAt, isDue }
}
