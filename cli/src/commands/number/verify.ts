import { dataOf } from '@jackfield/sdk'
import { Args, Flags } from '@oclif/core'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'

export default class NumberVerify extends BaseCommand {
  static override summary = 'Verify a number, so that it may be shown to others'
  static override description =
    'Has the number called or texted with a code over the operator’s line; with --code gives the code back.'
  static override examples = [
    '<%= config.bin %> number verify pn_01 --workspace acme',
    '<%= config.bin %> number verify pn_01 --workspace acme --channel text',
    '<%= config.bin %> number verify pn_01 --workspace acme --code 123456',
  ]
  static override args = { id: Args.string({ description: 'id of the number', required: true }) }
  static override flags = {
    ...workspaceFlag,
    channel: Flags.option({
      description: 'how the code comes [call]',
      options: ['call', 'text'] as const,
      exclusive: ['code'],
    })(),
    code: Flags.string({ description: 'the 6-digit code that the number received' }),
  }

  async run() {
    const { args, flags } = await this.parse(NumberVerify)
    const api = await this.workspaceApi(flags)
    const params = { path: { id: args.id } }
    if (flags.code !== undefined) {
      const body = { code: flags.code }
      const number = await dataOf(api.POST('/phone-numbers/{id}/verification/check', { params, body }))
      this.log(`+${number.number} is verified.`)
      return number
    }
    const body = { channel: flags.channel ?? 'call' }
    const sent = await dataOf(api.POST('/phone-numbers/{id}/verification', { params, body }))
    this.log(`A ${sent.channel} delivers a code to the number. Enter it with --code within ten minutes.`)
    return sent
  }
}
