/** Finding again whom the bearer of a call was connected with under an earlier process, and how. */
import type { Channel } from '../switch/channel.js'
import type { EndedChannels } from '../switch/ended-channels.js'
import type { ChannelSnapshot, Switchboard } from '../switch/switchboard.js'
import type { CallLeg } from './call-leg.entity.js'
import type { CallStore } from './call-store.js'
import type { Reached } from './hunt.js'
import { endOfLeg, unheardOf } from './leg-ends.js'
import { letGo } from './let-go.js'
import type { FoundTalk } from './talk.js'
import { type Side, talkMarkOf } from './talk-mark.js'
import type { Consulted } from './transfer.js'
import type { TransferRequest } from './transfer-target.js'

/** A talk that an earlier process left. */
export interface ResumedTalk {
  /** The other one than who bears the call; they may have left, while a transfer was under way. */
  other: Reached
  found: FoundTalk
  transfer: { request: TransferRequest; consulted: Consulted | null } | null
}

interface Services {
  store: Pick<CallStore, 'legEnded'>
  switchboard: Switchboard
  journal: EndedChannels
}

interface Found {
  channel: Channel
  snapshot: ChannelSnapshot
}

export class TalkRecovery {
  constructor(private readonly services: Services) {}

  /** Null when who bears the call is connected with nobody; whoever was being rung is let go. */
  async find(legs: readonly CallLeg[], bearer: Found): Promise<ResumedTalk | null> {
    const alive = await this.aliveOf(legs, bearer.channel)
    const mark = bearer.snapshot.bridged ? null : talkMarkOf(bearer.snapshot)
    const other = mark
      ? alive.get(mark.otherId)
      : [...alive.values()].find(({ snapshot }) => snapshot.answered && isJoined(snapshot, bearer))
    const consulted = alive.get(mark?.transfer?.channelId ?? '')
    const kept = new Set([other, consulted])
    const others = [...alive.values()].filter((one) => !kept.has(one))
    // Whoever was only heard leaves the bearer to the program.
    if (others.some(({ snapshot }) => isJoined(snapshot, bearer))) bearer.channel.takeUpBridge()
    // The program may ring the same agents again at once.
    await Promise.all(others.map(async (one) => letGo(one, this.services.store)))
    const leg = other?.leg ?? (mark?.transfer && legs.find(({ channel_id }) => channel_id === mark.otherId))
    if (!leg) return null
    const isConsulting = other?.snapshot.variable('signal_bond') === consulted?.leg.channel_id
    await quiet(bearer)
    if (other) await quiet(other)
    const sides: [Side, Side] = mark?.transfer?.side === 'line' ? ['operator', 'line'] : ['line', 'operator']
    return {
      other: {
        leg,
        channel: other?.channel ?? this.services.switchboard.ended(leg.channel_id, endOfLeg(leg)),
      },
      found: {
        bearer: sides[0],
        holders: mark?.holders ?? [],
        bridged: bearer.snapshot.bridged,
        muted: [...mutedIn(bearer, sides[0]), ...mutedIn(other, sides[1])],
      },
      transfer: mark?.transfer
        ? {
            request: { ...mark.transfer, reason: null },
            consulted: consulted
              ? { reached: consulted, bridged: other !== undefined && isConsulting }
              : null,
          }
        : null,
    }
  }

  /** All others who talk in the call or are rung, and whose legs the switch still has, by channel. */
  private async aliveOf(legs: readonly CallLeg[], bearer: Channel): Promise<Map<string, Reached & Found>> {
    const alive = new Map<string, Reached & Found>()
    for (const leg of legs) {
      if (leg.role === 'supervisor' || leg.ended_at || leg.channel_id === bearer.id) continue
      const found = await this.services.switchboard.adopt(leg.channel_id)
      if (found) alive.set(leg.channel_id, { leg, ...found })
      else {
        const end = (await this.services.journal.find(leg.channel_id)) ?? unheardOf()
        await this.services.store.legEnded(leg, end)
        Object.assign(leg, { ended_at: end.endedAt, hangup_cause: end.hangupCause, sip_code: end.sipCode })
      }
    }
    return alive
  }
}

function isJoined(other: ChannelSnapshot, bearer: Found): boolean {
  return other.bridged && bearer.snapshot.bridged
}

/** Ends the music of an earlier process, which would go on for ever. */
async function quiet({ channel, snapshot }: Found): Promise<void> {
  if (!snapshot.bridged && snapshot.application === 'playback') await channel.park()
}

function mutedIn(found: Found | undefined, side: Side): Side[] {
  return found?.snapshot.variable('jackfield_muted') === 'true' ? [side] : []
}
