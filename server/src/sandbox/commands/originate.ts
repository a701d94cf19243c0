import { parseOriginate } from '../dial-string.js'
import { usage, type CommandTable } from './command.js'

const USAGE =
  '<call url> <exten>|&<application_name>(<app_args>) [<dialplan>] [<context>] [<cid_name>] [<cid_num>] [<timeout_sec>]'

export const originateCommands: CommandTable = {
  async originate(sandbox, argument) {
    try {
      const order = parseOriginate(argument)
      return order ? await sandbox.originate(order) : usage(USAGE)
    } catch (error) {
      return `-ERR ${error instanceof Error ? error.message : 'DESTINATION_OUT_OF_ORDER'}\n`
    }
  },
}
