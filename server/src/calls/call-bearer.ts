/**
 * The channel that a call stands and falls with. It is that of the call's line, unless that has left its place to
 * another one in a talk: then the switch knows by marks on the channel that it bears the call now.
 */
import { afterBridgeVariables } from '../switch/after-bridge.js'
import type { Channel } from '../switch/channel.js'
import { SwitchRefusedError } from '../switch/errors.js'
import type { ChannelSnapshot } from '../switch/switchboard.js'

/** How often the call had been passed on to another channel when this one got it. */
const turnMark = 'jackfield_turn'

/** What is kept of the program that runs on the line. */
const programMarks = ['jackfield_step', 'jackfield_flow']

/** What a channel is told that goes on in another call, and bears none. */
export const bearsNothing: Readonly<Record<string, string>> = Object.fromEntries(
  [turnMark, ...programMarks, 'jackfield_ran_out'].map((name) => [name, '']),
)

/**
 * Has another channel bear the call. All that a later process must know is on it at once: it finds the call either on
 * the one or on the other.
 * @param talk what the channel is to say of its talk
 * @returns false when one of both has left
 */
export async function passOn(
  from: Channel,
  to: Channel,
  talk: Readonly<Record<string, string>>,
): Promise<boolean> {
  try {
    const [turn, ...program] = await Promise.all(
      [turnMark, ...programMarks].map(async (name) => (await from.text(name)) ?? ''),
    )
    await to.setVariables({
      ...Object.fromEntries(programMarks.map((name, index) => [name, program[index] ?? ''])),
      ...talk,
      ...afterBridgeVariables('park'),
      [turnMark]: String(Number(turn) + 1),
    })
    return !to.end
  } catch (error) {
    if (error instanceof SwitchRefusedError) return false
    throw error
  }
}

/** Of several channels of a call the one with the highest turn bears it; 0 for those that never got it in a talk. */
export function turnOf({ variable }: Pick<ChannelSnapshot, 'variable'>): number {
  return Number(variable(turnMark) ?? 0)
}
