import { dataOf } from '@jackfield/sdk'
import { Flags } from '@oclif/core'
import { ask } from '../../lib/ask.js'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'
import { amountOf } from '../../lib/texts.js'

export default class CreditAdd extends BaseCommand {
  static override summary = 'Add credit to a workspace'
  static override examples = ['<%= config.bin %> credit add --workspace acme --amount 25']
  static override flags = {
    ...workspaceFlag,
    amount: Flags.string({ description: 'USD', helpValue: '<USD>' }),
    note: Flags.string({ description: 'what it is for' }),
  }

  async run() {
    const { flags } = await this.parse(CreditAdd)
    const api = await this.operatorApi(flags.profile)
    const id = await this.workspaceId(flags)
    const amount = amountOf('--amount', await ask(flags.amount, '--amount', 'Amount in USD'))
    const body = { amount, ...(flags.note && { note: flags.note }) }
    const credit = await dataOf(api.POST('/workspaces/{id}/credit', { params: { path: { id } }, body }))
    this.log(`The balance of ${credit.workspace_id} is ${String(credit.balance)} USD.`)
    return credit
  }
}
