/** The sandbox's own command: somebody calls in, as from the edge. */
import { parseCallIn } from '../simulated-caller.js'
import { usage, type CommandTable } from './command.js'

export const callInCommands: CommandTable = {
  sandbox_call(sandbox, argument) {
    const order = parseCallIn(argument)
    return order ? sandbox.callIn(order) : usage('[{name=value,...}]<called number> <caller number>')
  },
}
