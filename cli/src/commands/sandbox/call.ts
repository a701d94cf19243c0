import { dataOf } from '@jackfield/sdk'
import { Args, Errors, Flags } from '@oclif/core'
import { localSandbox } from '../../lib/appliance-file.js'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'
import { EventSocket } from '../../lib/event-socket.js'
import { followCall } from '../../lib/follow-call.js'
import { callIn } from '../../lib/simulated-call.js'
import { usageError } from '../../lib/usage-error.js'

export default class SandboxCall extends BaseCommand {
  static override summary = 'Call a number of a workspace, as a simulated caller'
  static override description =
    'Needs an appliance on this machine that runs on the sandbox. The number’s flow runs as for a true caller.'
  static override examples = [
    '<%= config.bin %> sandbox call +12025550199 --workspace acme --follow',
    '<%= config.bin %> sandbox call +12025550199 --workspace acme --from +442071838750 --keys 1WW2# --follow',
  ]
  static override args = { number: Args.string({ description: 'number of the workspace', required: true }) }
  static override flags = {
    ...workspaceFlag,
    from: Flags.string({ description: 'number of the caller', default: '+12025550123' }),
    name: Flags.string({ description: 'name of the caller' }),
    keys: Flags.string({
      description:
        'keys that the caller presses, from a second after the first sound on; w waits half a second, W a whole one',
    }),
    stays: Flags.integer({
      description: 'seconds from the answer to the hang-up',
      default: 60,
      min: 1,
      max: 7200,
    }),
    patience: Flags.integer({ description: 'seconds to wait for an answer', default: 60, min: 1, max: 600 }),
    follow: Flags.boolean({ description: 'show the call’s events until it ends' }),
  }

  async run() {
    const { args, flags } = await this.parse(SandboxCall)
    const address = localSandbox()
    if (!address) throw usageError('There is no appliance on this machine that runs on the sandbox')
    const api = await this.workspaceApi(flags)
    const digits = args.number.replace('+', '')
    const found = await dataOf(api.GET('/phone-numbers', { params: { query: { search: digits } } }))
    const number = found.data.find((one) => one.number === digits)
    if (!number) throw new Errors.CLIError(`${args.number} is no number of this workspace`, { exit: 1 })
    if (number.status === 'inactive') {
      throw new Errors.CLIError(`${args.number} is inactive: the edge answers 480`, { exit: 1 })
    }
    const socket = await EventSocket.open(address)
    try {
      const { from, name = '', keys = '', stays, patience } = flags
      const call_id = await callIn(socket, api, number, { from, name, keys, stays, patience })
      if (call_id === null) {
        throw new Errors.CLIError('The call was refused before it was created', { exit: 1 })
      }
      const line = `${call_id} from ${from} to +${digits} is on its way.`
      if (flags.follow) {
        this.logToStderr(line)
        await followCall(api, call_id, (event) => this.logToStderr(event))
      } else this.log(line)
      return { call_id, from, to: `+${digits}` }
    } finally {
      socket.close()
    }
  }
}
