import { setTimeout as sleep } from 'node:timers/promises'
import { type JackfieldClient, dataOf } from '@jackfield/sdk'
import { Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/base-command.js'
import { drainLine } from '../../resources/maintenance.js'

const lookMs = 2_000

export default class OperatorDrain extends BaseCommand {
  static override summary = 'Drain the platform for maintenance'
  static override description =
    'Live calls continue to their end; new ones are answered 503, until `jackfield operator undrain`.'
  static override examples = [
    '<%= config.bin %> operator drain',
    '<%= config.bin %> operator drain --wait --timeout 3600',
    '<%= config.bin %> operator drain --look',
  ]
  static override flags = {
    look: Flags.boolean({ description: 'only show the state of the drain', exclusive: ['wait'] }),
    wait: Flags.boolean({ description: 'wait until the last call has ended' }),
    timeout: Flags.integer({
      description: 'longest wait in seconds; the exit code is 1 after it',
      default: 7_500,
      min: 1,
      helpValue: '<seconds>',
    }),
  }

  async run() {
    const { flags } = await this.parse(OperatorDrain)
    const api = await this.operatorApi(flags.profile)
    const begun = await dataOf(flags.look ? api.GET('/operator/drain') : api.PUT('/operator/drain'))
    this.log(drainLine(begun))
    return flags.wait ? this.wait(api, begun, flags.timeout) : begun
  }

  private async wait(api: JackfieldClient, begun: Parameters<typeof drainLine>[0], seconds: number) {
    const until = Date.now() + seconds * 1000
    let seen = begun
    while (seen.draining && !seen.empty && Date.now() < until) {
      await sleep(lookMs)
      const before = seen.live_calls
      seen = await dataOf(api.GET('/operator/drain'))
      if (seen.live_calls !== before) this.log(drainLine(seen))
    }
    if (!seen.empty || !seen.draining) process.exitCode = 1
    return seen
  }
}
