/**
 * The channel of the primary leg: when it ends, the call ends. It is the script leg's, unless another leg has taken
 * its place in a bridge: then recovery variables on that channel say so.
 */
import { afterBridgeVariables } from '../../../adapters/freeswitch/after-bridge.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import { SwitchRefusedError } from '../../../adapters/freeswitch/errors.js'
import type { ChannelSnapshot } from '../../../adapters/freeswitch/switchboard.js'

/** How many times the primary leg had changed when this channel became it. */
const turnMark = 'jackfield_turn'

/** Recovery variables of the script that runs on the leg. */
const scriptVariables = ['jackfield_step', 'jackfield_flow']

/** Clears the variables of a channel that moves to another call, where it is not the primary leg. */
export const notPrimary: Readonly<Record<string, string>> = Object.fromEntries(
  [turnMark, ...scriptVariables, 'jackfield_ran_out'].map((name) => [name, '']),
)

/**
 * Makes another channel the primary leg. All recovery variables are set in one command, so after a crash exactly one
 * of both owns the call.
 * @param bridge recovery variables of the bridge
 * @returns false when one of both channels has ended
 */
export async function transferPrimary(
  from: Channel,
  to: Channel,
  bridge: Readonly<Record<string, string>>,
): Promise<boolean> {
  try {
    const [turn, ...script] = await Promise.all(
      [turnMark, ...scriptVariables].map(async (name) => (await from.text(name)) ?? ''),
    )
    await to.setVariables({
      ...Object.fromEntries(scriptVariables.map((name, index) => [name, script[index] ?? ''])),
      ...bridge,
      ...afterBridgeVariables('park'),
      [turnMark]: String(Number(turn) + 1),
    })
    return !to.end
  } catch (error) {
    if (error instanceof SwitchRefusedError) return false
    throw error
  }
}

/** The channel with the highest turn is the primary leg; 0 for a channel that never became it in a bridge. */
export function turnOf({ variable }: Pick<ChannelSnapshot, 'variable'>): number {
  return Number(variable(turnMark) ?? 0)
}
