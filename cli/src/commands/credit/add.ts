import { ask } from '../../lib/ask.js'
import { BaseCommand } from '../../lib/base-command.js'
import { bookCredit, creditFlags } from '../../lib/book-credit.js'
import { amountOf } from '../../lib/texts.js'

export default class CreditAdd extends BaseCommand {
  static override summary = 'Add credit to a workspace'
  static override examples = [
    '<%= config.bin %> credit add --workspace acme --amount 25',
    '<%= config.bin %> credit add --workspace acme --amount 25 --note "Transfer 17" --key transfer-17',
  ]
  static override flags = creditFlags

  async run() {
    const { flags } = await this.parse(CreditAdd)
    const api = await this.operatorApi(flags.profile)
    const id = await this.workspaceId(flags)
    const amount = amountOf('--amount', await ask(flags.amount, '--amount', 'Amount in USD'))
    const booking = { amount, reason: 'top_up', note: flags.note, key: flags.key } as const
    const credit = await bookCredit(api, id, booking, (line) => this.logToStderr(line))
    this.log(`The balance of ${credit.workspace_id} is ${String(credit.balance)} USD.`)
    return credit
  }
}
