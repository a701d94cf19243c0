import { dataOf } from '@jackfield/sdk'
import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/base-command.js'
import { usageError } from '../../lib/usage-error.js'
import { logLevelLines } from '../../resources/maintenance.js'

const parts = ['server', 'switch', 'edge'] as const
const levels = ['error', 'warn', 'info', 'debug', 'default'] as const

export default class OperatorLogLevel extends BaseCommand {
  static override summary = 'Show or change the log levels of the running parts'
  static override examples = [
    '<%= config.bin %> operator log-level',
    '<%= config.bin %> operator log-level edge debug --minutes 15',
    '<%= config.bin %> operator log-level edge default',
  ]
  static override args = {
    part: Args.string({ description: 'server, switch or edge', options: [...parts] }),
    level: Args.string({
      description: 'error, warn, info or debug; default: the level at start',
      options: [...levels],
    }),
  }
  static override flags = {
    minutes: Flags.integer({
      description: 'after which the level at start applies again [until you change it]',
      min: 1,
      max: 10_080,
      helpValue: '<n>',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(OperatorLogLevel)
    const api = await this.operatorApi(flags.profile)
    const part = parts.find((one) => one === args.part)
    if (part) {
      const level = levels.find((one) => one === args.level)
      if (!level) throw usageError(`Give a level for ${part}, or default`)
      await dataOf(api.PUT('/operator/log-level', { body: { part, level, minutes: flags.minutes ?? null } }))
    }
    const { data } = await dataOf(api.GET('/operator/log-level'))
    this.log(logLevelLines(data))
    return data
  }
}
