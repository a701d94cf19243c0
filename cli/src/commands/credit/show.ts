import { dataOf } from '@jackfield/sdk'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'

export default class CreditShow extends BaseCommand {
  static override summary = 'Show the credit of a workspace'
  static override examples = ['<%= config.bin %> credit show --workspace acme']
  static override flags = { ...workspaceFlag }

  async run() {
    const { flags } = await this.parse(CreditShow)
    const credit = await dataOf((await this.workspaceApi(flags)).GET('/credit'))
    this.log(`The balance of ${credit.workspace_id} is ${String(credit.balance)} USD.`)
    return credit
  }
}
