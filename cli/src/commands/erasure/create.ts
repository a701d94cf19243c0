import { dataOf } from '@jackfield/sdk'
import { Flags } from '@oclif/core'
import { confirm } from '../../lib/ask.js'
import { BaseCommand, examplesOf, workspaceFlag } from '../../lib/base-command.js'
import { readableErasure } from '../../resources/erasure.js'

export default class ErasureCreate extends BaseCommand {
  static override summary = 'Delete everything of one person'
  static override description =
    'By number, by contact with all of its numbers, or as client:<sub> a user of your own app: calls, recordings, messages, conversations, the contact, devices and webhook deliveries about them. It is done in the background. An opt-out stays.'
  static override examples = examplesOf([
    'erasure create --workspace acme --number +12025550142',
    'erasure create --workspace acme --contact con_01 --yes',
    'erasure create --workspace acme --number client:anna',
  ])
  static override flags = {
    ...workspaceFlag,
    number: Flags.string({
      description: 'the person’s number with its country code, or client:<sub>',
      exclusive: ['contact'],
    }),
    contact: Flags.string({ description: 'id of the contact', helpValue: '<con_…>' }),
    yes: Flags.boolean({ description: 'do not ask' }),
  }

  protected override flagByField = { number: 'number', contact_id: 'contact' }

  async run() {
    const { flags } = await this.parse(ErasureCreate)
    const { number, contact } = flags
    const person = number ?? contact
    if (person === undefined) this.error('Name the person: --number or --contact', { exit: 2 })
    await confirm(flags.yes, '--yes', `Delete everything of ${person}? This cannot be undone.`)
    const api = await this.workspaceApi(flags)
    const body = {
      ...(number !== undefined && { number }),
      ...(contact !== undefined && { contact_id: contact }),
    }
    const erasure = await dataOf(api.POST('/erasures', { body }))
    this.printFields(readableErasure(erasure))
    return erasure
  }
}
