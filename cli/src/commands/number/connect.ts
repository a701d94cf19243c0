import { dataOf } from '@jackfield/sdk'
import { Flags } from '@oclif/core'
import { ask } from '../../lib/ask.js'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'

export default class NumberConnect extends BaseCommand {
  static override summary = 'Connect a number of your own trunk'
  static override description =
    'With --gateway the number may also call out. It is pending until it is activated.'
  static override examples = [
    '<%= config.bin %> number connect --workspace acme --number 2025550199 --country US --title Main --acl acl_01 --gateway gw_01',
  ]
  static override flags = {
    ...workspaceFlag,
    number: Flags.string({ description: '6 to 14 digits, without the country code' }),
    country: Flags.string({ description: 'two-letter country code', helpValue: '<US>' }),
    title: Flags.string({ description: 'name that people read' }),
    acl: Flags.string({ description: 'inbound ACL that guards it', helpValue: '<acl_…>' }),
    gateway: Flags.string({ description: 'outbound gateway that it calls out with', helpValue: '<gw_…>' }),
  }

  async run() {
    const { flags } = await this.parse(NumberConnect)
    const api = await this.workspaceApi(flags)
    const body = {
      number: await ask(flags.number, '--number', 'Number without its country code'),
      country_code: await ask(flags.country, '--country', 'Country code'),
      title: await ask(flags.title, '--title', 'Title'),
      inbound_acl_id: await ask(flags.acl, '--acl', 'Inbound ACL'),
      enable_outbound: flags.gateway !== undefined,
      ...(flags.gateway && { outbound_gateway_id: flags.gateway }),
    }
    const number = await dataOf(api.POST('/phone-numbers/connect', { body }))
    this.printFields(number)
    return number
  }
}
