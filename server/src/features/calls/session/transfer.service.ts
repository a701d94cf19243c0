/** Transfers of calls, as requested over the API or by a phone. */
import type { Side } from '../bridge/side.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { AgentActor } from '../../../infrastructure/http/endpoint.js'
import { badRequest, notFound } from '../../../infrastructure/http/errors.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import type { Call } from '../model/call.entity.js'
import type { LiveCall, ScriptedCall } from './live-call.js'
import type { LiveCalls } from './live-calls.js'
import type { Bridge } from '../bridge/bridge.js'
import type { Transfer } from '../bridge/transfer.js'
import type { TransferLookup } from '../bridge/transfer-lookup.js'
import type { TransferRights } from '../bridge/transfer-rights.js'
import { type TransferTarget, joinableOf, phoneOf } from '../bridge/transfer-target.js'
import type { TransferCall } from '../bridge/transfer.schema.js'

/** The party that transfers a call. */
export interface Transferrer {
  /** Id of an agent, or of the SIP account of a phone. */
  id: string
  username: string
  /** The channel of a phone that asks by itself. */
  channelId?: string
}

/** A call of a phone, and its channel there. */
export interface HeldCall {
  readonly call: LiveCall
  readonly channelId: string
}

interface Services {
  /**
   * Moves a leg to another call.
   * @param details for the timeline of the call that it leaves
   * @throws {CallGoneError} one of the calls has ended
   */
  move(leg: CallLeg, from: LiveCall, to: Call, details: object): Promise<void>
  lookup: TransferLookup
  live: Pick<LiveCalls, 'find'>
  rights: TransferRights
}

export class TransferService {
  constructor(private readonly services: Services) {}

  /**
   * Starts a transfer; its outcome is on the call's timeline.
   * @throws 400 for an invalid target, or a call that cannot be transferred now, 404, 503 during recovery
   */
  async start(workspace: Owner, callId: string, by: Transferrer, input: TransferCall) {
    const found = await this.live(workspace, callId)
    // A phone's own key transfers within the workspace alone.
    const asked = { by: by.channelId === undefined ? by.id : null, phoneNumberId: found.call.phone_number_id }
    const target = await this.services.lookup.find(workspace, input, asked)
    const { call, bridge } = talking(await driven(found, by.id))
    const side = sideOf(bridge, by)
    const from = bridge.at(side).leg.agent_id
    const consult = input.consult ?? false
    if (consult && from !== by.id) throw badRequest('Only the agent who has the call can consult somebody')
    const { kind, id, from: shown, name, username } = target
    const reason = input.reason ?? null
    const to = { kind, id, ...(shown !== undefined && { from: shown }) }
    const request = { target: to, side, consult, by: by.username, reason }
    if (!(await call.handOver(request))) {
      throw badRequest('The call is being handed over already')
    }
    return {
      call_id: callId,
      status: 'transfer_initiated' as const,
      from_agent_id: from,
      to_agent: username === null ? null : { id, username },
      to: { kind, id, name },
      transferred_by: by.username,
    }
  }

  /**
   * Joins the two partners of a phone (attended transfer). The partner that the phone has called moves to the other
   * call, else either one that can; the call that it leaves ends.
   * @param released resolves when the phone may leave
   * @returns false if that cannot be done
   */
  async join(
    workspace: Owner,
    by: Transferrer,
    calls: readonly [HeldCall, HeldCall],
    released: Promise<void>,
  ): Promise<boolean> {
    const movable = calls.flatMap(movableFrom)
    const chosen = movable.find(({ isCalled }) => isCalled) ?? movable[0]
    const kept = chosen && calls.find((one) => one !== chosen.given)
    if (!kept || kept.call.call.id === chosen.given.call.call.id) return false
    const { given, target } = chosen
    const found = await this.live(workspace, kept.call.call.id)
    const { call, bridge } = talking(await driven(found, by.id))
    const side = sideOf(bridge, { ...by, channelId: kept.channelId })
    const request = { target, side, consult: true, by: by.username, reason: null }
    let settle: (isTaken: boolean) => void = () => undefined
    const isTaken = new Promise<boolean>((resolve) => (settle = resolve))
    const write = async (leg: CallLeg) => {
      const details = { status: 'completed', mode: 'consult', to: target, transferred_by: by.username }
      await this.services.move(leg, given.call, call.call, { ...details, call_id: call.call.id })
      return call.call.id
    }
    const written = async () => {
      settle(true)
      await released
    }
    const transfer = await call.handOver(
      request,
      async () => (await given.call.movePartner(given.channelId, { write, written })) ?? 'failed',
    )
    // The phone has already consulted the target.
    transfer?.complete()
    void transfer?.ended.then(() => settle(false))
    return transfer ? isTaken : false
  }

  /**
   * As {@link start}, for an agent who asks over the API.
   * @throws 403 if the agent may not, and as {@link start}
   */
  async startBy(workspace: Owner, callId: string, by: AgentActor, input: TransferCall) {
    await this.live(workspace, callId)
    await this.services.rights.checkStart(workspace, callId, by)
    return this.start(workspace, callId, by, input)
  }

  /**
   * Bridges the caller with the target: now, or when the target answers.
   * @throws 400, 403, 404, 503
   */
  async complete(workspace: Owner, callId: string, by: AgentActor) {
    const transfer = await this.transfer(workspace, callId, by)
    transfer.complete()
    return { call_id: callId, status: 'transfer_completing' as const }
  }

  /**
   * Lets the caller, the agent and the target talk together.
   * @throws 400 also when the target has not answered yet, 403, 404, 503
   */
  async startThreeWay(workspace: Owner, callId: string, by: AgentActor) {
    const transfer = await this.transfer(workspace, callId, by)
    if (!transfer.startThreeWay())
      throw badRequest('The agent does not speak with the target of the transfer')
    return { call_id: callId, status: 'transfer_three_way' as const }
  }

  /**
   * Returns the caller to the agent.
   * @throws 400, 403, 404, 503
   */
  async cancel(workspace: Owner, callId: string, by: AgentActor) {
    const transfer = await this.transfer(workspace, callId, by)
    transfer.cancel()
    return { call_id: callId, status: 'transfer_canceled' as const }
  }

  private async transfer(workspace: Owner, callId: string, by: AgentActor): Promise<Transfer> {
    const { transfer } = talking(await this.live(workspace, callId)).call
    if (!transfer) throw badRequest('The call is not being handed over')
    await this.services.rights.checkEnd(workspace, callId, by, transfer.begunBy)
    return transfer
  }

  /** @throws 404 */
  private async live({ id }: Owner, callId: string): Promise<LiveCall> {
    const call = await this.services.live.find(callId)
    // A call that a phone dialled is bridged by the switch alone until it is transferred.
    if (call?.call.workspace_id !== id || !isBridged(call)) throw notActive(callId)
    return call
  }
}

/** The partner of a phone in one of its calls, if it can move to another call. */
function movableFrom(given: HeldCall): { given: HeldCall; target: TransferTarget; isCalled: boolean }[] {
  const partner = given.call.partnerOf(given.channelId)
  const target = partner && joinableOf(partner.leg)
  return target ? [{ given, target, isCalled: partner.isCalled }] : []
}

function isBridged(call: LiveCall): boolean {
  // The switch alone bridges a call between phones, from its answer on.
  return call.kind === 'switch_bridged' ? call.call.answered_at !== null : call.bridge?.isOver === false
}

/** Takes a call between phones over from the switch. */
async function driven(call: LiveCall, by: string): Promise<LiveCall> {
  return call.kind === 'switch_bridged' ? ((await call.drive(by)) ?? call) : call
}

/** @throws 404 for a call that is not bridged by this server */
function talking(call: LiveCall): { call: ScriptedCall; bridge: Bridge } {
  if (call.kind !== 'scripted' || !call.bridge || call.bridge.isOver) throw notActive(call.call.id)
  return { call, bridge: call.bridge }
}

/** The side that is transferred: the requester's, or else one with a phone of the workspace. */
function sideOf(bridge: Bridge, { id, channelId }: Transferrer): Side {
  const has = (side: Side) => {
    const { leg, channel } = bridge.at(side)
    return channelId === undefined ? leg.agent_id === id : channel.id === channelId
  }
  if (has('destination') || has('line')) return has('destination') ? 'destination' : 'line'
  return phoneOf(bridge.destination.leg) === null && phoneOf(bridge.line.leg) !== null
    ? 'line'
    : 'destination'
}

function notActive(callId: string): Error {
  return notFound(`Call ${callId} not found, or not active`)
}
