/** Finding again whom the line of a call was connected with under an earlier process, and how. */
import type { Channel } from '../switch/channel.js'
import type { EndedChannels } from '../switch/ended-channels.js'
import type { ChannelSnapshot, Switchboard } from '../switch/switchboard.js'
import type { CallLeg } from './call-leg.entity.js'
import type { CallStore } from './call-store.js'
import type { Reached } from './hunt.js'
import { endOfLeg, unheardOf } from './leg-ends.js'
import { letGo } from './let-go.js'
import type { FoundTalk, Side } from './talk.js'
import { talkMarkOf } from './talk-mark.js'
import type { Consulted } from './transfer.js'
import type { TransferRequest } from './transfer-target.js'

/** A talk that an earlier process left. */
export interface ResumedTalk {
  /** They may have left, while a transfer was under way. */
  operator: Reached
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

  /** Null when the line is connected with nobody; whoever was being rung is let go. */
  async find(legs: readonly CallLeg[], line: Found): Promise<ResumedTalk | null> {
    const lineRole = legs.find(({ channel_id }) => channel_id === line.channel.id)?.role
    const alive = await this.aliveOf(legs.filter(({ role }) => role !== lineRole && role !== 'supervisor'))
    const mark = line.snapshot.bridged ? null : talkMarkOf(line.snapshot)
    const operator = mark
      ? alive.get(mark.operatorId)
      : [...alive.values()].find(({ snapshot }) => snapshot.bridged && line.snapshot.bridged)
    const consulted = alive.get(mark?.transfer?.channelId ?? '')
    const kept = new Set([operator, consulted])
    const others = [...alive.values()].filter((one) => !kept.has(one))
    // The program may ring the same agents again at once.
    await Promise.all(others.map(async (one) => letGo(one, this.services.store)))
    const leg =
      operator?.leg ?? (mark?.transfer && legs.find(({ channel_id }) => channel_id === mark.operatorId))
    if (!leg) return null
    const isConsulting = operator?.snapshot.variable('signal_bond') === consulted?.leg.channel_id
    await quiet(line)
    if (operator) await quiet(operator)
    return {
      operator: {
        leg,
        channel: operator?.channel ?? this.services.switchboard.ended(leg.channel_id, endOfLeg(leg)),
      },
      found: {
        holders: mark?.holders ?? [],
        bridged: line.snapshot.bridged,
        muted: [...mutedIn(line, 'line'), ...mutedIn(operator, 'operator')],
      },
      transfer: mark?.transfer
        ? {
            request: { ...mark.transfer, reason: null },
            consulted: consulted
              ? { reached: consulted, bridged: operator !== undefined && isConsulting }
              : null,
          }
        : null,
    }
  }

  /** Those of these legs that the switch still has, by channel. */
  private async aliveOf(legs: readonly CallLeg[]): Promise<Map<string, Reached & Found>> {
    const alive = new Map<string, Reached & Found>()
    for (const leg of legs.filter(({ ended_at }) => !ended_at)) {
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

/** Ends the music of an earlier process, which would go on for ever. */
async function quiet({ channel, snapshot }: Found): Promise<void> {
  if (!snapshot.bridged && snapshot.application === 'playback') await channel.park()
}

function mutedIn(found: Found | undefined, side: Side): Side[] {
  return found?.snapshot.variable('jackfield_muted') === 'true' ? [side] : []
}
