/** Recovers the bridge of the primary leg after a restart. */
import type { RecoveredBridge } from '../bridge/recovered-bridge.js'
import type { AnsweredLeg } from '../model/answered-leg.js'
import type { Side } from '../bridge/side.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { ChannelSnapshot, Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import type { CallStore } from '../model/call-store.js'
import { type SwitchHistory, answerOfLeg, endOfGone, endOfLeg } from '../model/leg-ends.js'
import { releaseLeg } from '../dialling/release-leg.js'
import { isOfStream } from '../model/stream-address.js'
import { type BridgeState, bridgeStateOf } from '../bridge/bridge-state.js'
import { partyOf } from '../bridge/transfer-target.js'

interface Services {
  store: Pick<CallStore, 'legEnded'>
  switchboard: Switchboard
}

interface Found {
  channel: Channel
  snapshot: ChannelSnapshot
}

/** All other bridged or ringing legs that the switch still has, by channel. */
type Alive = ReadonlyMap<string, AnsweredLeg & Found>

export class BridgeRecovery {
  constructor(private readonly services: Services) {}

  /**
   * Null if the primary leg is not bridged; ringing legs are hung up. A leg that has answered but was not bridged yet
   * is bridged; a bridge that ended unseen is over.
   */
  async find(
    legs: readonly CallLeg[],
    primary: Found,
    history: SwitchHistory,
  ): Promise<RecoveredBridge | null> {
    const open = new Set(legs.filter(({ ended_at }) => !ended_at).map(({ channel_id }) => channel_id))
    const alive = await this.aliveOf(legs, primary.channel, history)
    if ([...alive.values()].some(({ leg }) => isOfStream(leg))) {
      // The WebSockets of these legs died with the previous process: the script repeats the step.
      await Promise.all([...alive.values()].map(async (one) => releaseLeg(one, this.services.store)))
      return null
    }
    const isBridged = primary.snapshot.bridged
    const state = bridgeStateOf(primary.snapshot)
    const mark = !isBridged || state?.transfer?.isThreeWay ? state : null
    const { other, consulted, transfer } = mark
      ? partiesOf(mark, legs, alive)
      : { other: (isBridged && firstOf(alive, joined)) || firstOf(alive, reached), transfer: null }
    const kept = new Set([other, consulted])
    const others = [...alive.values()].filter((one) => !kept.has(one))
    // The script may ring the same agents again at once.
    await Promise.all(others.map(async (one) => releaseLeg(one, this.services.store)))
    const lastId = mark?.otherId ?? primary.snapshot.variable('last_bridge_to') ?? ''
    const leg = other?.leg ?? legs.find(({ channel_id }) => channel_id === lastId)
    const isOver = !other && !transfer
    // Early media alone was no bridge.
    if (!leg || (isOver && (!leg.answered_at || !(mark ?? open.has(leg.channel_id))))) return null
    const isConsulting = other?.snapshot.variable('bridge_to') === consulted?.leg.channel_id
    await quiet(primary)
    if (other) await quiet(other)
    const primaryLeg = legs.find(({ channel_id }) => channel_id === primary.channel.id)
    const sides: [Side, Side] =
      mark?.transfer?.side === 'line' ? ['destination', 'line'] : ['line', 'destination']
    return {
      other: {
        leg,
        channel: other?.channel ?? this.services.switchboard.ended(leg.channel_id, endOfLeg(leg)),
      },
      found: {
        primarySide: sides[0],
        holders: (mark?.holders ?? []).filter((holder) => holder !== 'transfer' || transfer !== null),
        bridged: isBridged && other?.snapshot.bridged === true,
        muted: [...mutedIn(primary, sides[0]), ...mutedIn(other, sides[1])],
        deaf: [...deafIn(primaryLeg, sides[0]), ...deafIn(leg, sides[1])],
        transfer: transfer ?? null,
      },
      transfer: transfer && {
        request: transfer,
        consulted: consulted ? { reached: consulted, bridged: other !== undefined && isConsulting } : null,
      },
    }
  }

  private async aliveOf(legs: readonly CallLeg[], primary: Channel, history: SwitchHistory): Promise<Alive> {
    const alive = new Map<string, AnsweredLeg & Found>()
    for (const leg of legs) {
      if (leg.role === 'supervisor' || leg.ended_at || leg.channel_id === primary.id) continue
      const found = await this.services.switchboard.adopt(leg.channel_id)
      if (found) alive.set(leg.channel_id, { leg, ...found })
      else {
        const end = await endOfGone(leg, history)
        await this.services.store.legEnded(leg, end)
        Object.assign(leg, {
          answered_at: answerOfLeg(leg, end),
          ...{ ended_at: end.endedAt, hangup_cause: end.hangupCause, sip_code: end.sipCode },
        })
      }
    }
    return alive
  }
}

/** Works out the roles in a bridge that was parted. */
function partiesOf({ otherId, transfer }: BridgeState, legs: readonly CallLeg[], alive: Alive) {
  const other = alive.get(otherId)
  if (!transfer) return { other, transfer }
  // The leg that answered while no server ran.
  const next = alive.get(transfer.channelId) ?? firstOf(alive, (one) => one !== other && reached(one))
  const before = legs.find(({ channel_id }) => channel_id === otherId)
  const from = before && partyOf(before)?.id
  const isRungBack =
    !other && transfer.side === 'destination' && from !== undefined && next && from === partyOf(next.leg)?.id
  return isRungBack ? { other: next, transfer: null } : { other, transfer, consulted: next }
}

function joined({ snapshot }: Found): boolean {
  return snapshot.bridged
}

/** True if the leg was dialled in the call and has answered. */
function reached({ leg, channel, snapshot }: AnsweredLeg & Found): boolean {
  return leg.role === 'destination' && !snapshot.bridged && !channel.end
}

/** The first that answered. */
function firstOf(
  alive: Alive,
  wanted: (one: AnsweredLeg & Found) => boolean,
): (AnsweredLeg & Found) | undefined {
  return [...alive.values()]
    .filter((one) => one.snapshot.answered && wanted(one))
    .sort((one, other) => Number(one.snapshot.answeredAt) - Number(other.snapshot.answeredAt))[0]
}

/** Ends the endless music of the previous process. */
async function quiet({ channel, snapshot }: Found): Promise<void> {
  if (!snapshot.bridged && snapshot.application === 'playback') await channel.park()
}

function mutedIn(found: Found | undefined, side: Side): Side[] {
  return found?.snapshot.variable('jackfield_muted') === 'true' ? [side] : []
}

/** Voice agents' media ended with the previous process. */
function deafIn(leg: CallLeg | undefined, side: Side): Side[] {
  return leg?.voice_agent_id ? [side] : []
}
