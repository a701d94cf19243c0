import { Args, Flags } from '@oclif/core'
import { BaseCommand, examplesOf } from '../../lib/base-command.js'
import { download } from '../../lib/download.js'

export default class RateDeckExport extends BaseCommand {
  static override summary = 'Download the rates of a deck as CSV, which can be imported again'
  static override examples = examplesOf(['rate-deck export rd_01 --output retail.csv'])
  static override args = { id: Args.string({ description: 'id of the deck', required: true }) }
  static override flags = {
    output: Flags.string({
      description: 'file to write; without it, the standard output',
      helpValue: '<file>',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(RateDeckExport)
    const api = await this.operatorApi(flags.profile)
    const { data, error, response } = await api.GET('/rate-decks/{id}/rates.csv', {
      params: { path: { id: args.id } },
      parseAs: 'stream',
    })
    return download({ data, error, response }, flags.output)
  }
}
