/**
 * Moves the partner of a phone into another call: the phone joins the two parties of its two calls (attended transfer).
 */
import type { AnsweredLeg } from '../model/answered-leg.js'
import { SwitchRefusedError } from '../../../adapters/freeswitch/errors.js'
import type { Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import { notPrimary } from './primary-leg.js'
import type { CallRecorder } from '../model/call-recorder.js'
import { transferCause } from '../model/termination.js'
import { CallGoneError } from '../model/call-store.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import type { Call } from '../model/call.entity.js'
import type { Bridge } from './bridge.js'
import { bridgeVariables } from './bridge-state.js'

interface Services {
  readonly switchboard: Pick<Switchboard, 'handOn'>
  readonly actions: { readonly recorder: Pick<CallRecorder, 'leave'> }
}

/** How a party moves to another call. */
export interface PartnerMove {
  /**
   * Writes the leg to the other call.
   * @returns that call's id
   * @throws {CallGoneError} one of the calls has ended
   */
  readonly write: (leg: CallLeg) => Promise<string>
  /** Awaited before the bridge is parted; the phone may leave from then on. */
  readonly written: () => Promise<void>
}

/** A phone, and the party that it is bridged with. */
interface Pair {
  readonly phone: AnsweredLeg
  readonly partner: AnsweredLeg
}

/** The party bridged with the phone on a channel; null when one of them has left. */
export function pairIn(bridge: Bridge, channelId: string): Pair | null {
  const { line, destination } = bridge
  const phone = [line, destination].find(({ channel }) => channel.id === channelId)
  const partner = phone === line ? destination : line
  if (bridge.isOver || !phone || (phone.channel.end ?? partner.channel.end)) return null
  return { phone, partner }
}

/** See {@link LiveCall.movePartner}. For the call that the partner leaves, its leg ends; the phone is hung up. */
export async function movePartnerFrom(
  call: Call,
  bridge: Bridge,
  { phone, partner }: Pair,
  { write, written }: PartnerMove,
  { switchboard, actions }: Services,
): Promise<AnsweredLeg | null> {
  const { leg, channel } = partner
  let callId: string
  await channel.parkAfterBridge(true)
  try {
    callId = await write(leg)
  } catch (error) {
    if (!(error instanceof CallGoneError)) throw error
    await channel.parkAfterBridge(partner === bridge.line)
    return null
  }
  try {
    const recoveryVariables = { jackfield_call: callId, jackfield_role: leg.role }
    await channel.setVariables({ ...notPrimary, ...bridgeVariables(null), ...recoveryVariables })
    await actions.recorder.leave(call, channel)
  } catch (error) {
    if (!(error instanceof SwitchRefusedError)) throw error
  }
  await written()
  if (channel.end) return partner
  const next = { leg, channel: switchboard.handOn(channel, transferCause) }
  void phone.channel.hangUp(transferCause).catch(() => undefined)
  await next.channel.park()
  return next
}
