import { ask } from '../../lib/ask.js'
import { BaseCommand } from '../../lib/base-command.js'
import { bookCredit, creditFlags } from '../../lib/book-credit.js'
import { amountOf } from '../../lib/texts.js'

export default class CreditCorrect extends BaseCommand {
  static override summary = 'Take back credit that was booked by mistake, or add what was left out'
  static override description = 'A negative amount takes it back, whatever of it is left: --amount=-25.'
  static override examples = [
    '<%= config.bin %> credit correct --workspace acme --amount=-25 --note "Transfer 17 was entered twice"',
  ]
  static override flags = creditFlags

  async run() {
    const { flags } = await this.parse(CreditCorrect)
    const api = await this.operatorApi(flags.profile)
    const id = await this.workspaceId(flags)
    const amount = amountOf('--amount', await ask(flags.amount, '--amount', 'Amount in USD'))
    const booking = { amount, reason: 'correction', note: flags.note, key: flags.key } as const
    const credit = await bookCredit(api, id, booking, (line) => this.logToStderr(line))
    this.log(`The balance of ${credit.workspace_id} is ${String(credit.balance)} USD.`)
    return credit
  }
}
