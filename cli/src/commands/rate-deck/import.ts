import { Args } from '@oclif/core'
import { BaseCommand, examplesOf } from '../../lib/base-command.js'
import { call } from '../../lib/endpoints.js'
import { uploadOf } from '../../lib/upload.js'

export default class RateDeckImport extends BaseCommand {
  static override summary = 'Replace all rates of a deck by those of a CSV file'
  static override description =
    'Columns: prefix and price, and where wanted kind, destination, connection_fee, minimum_seconds, increment_seconds, is_blocked and valid_from. The file is taken as a whole, or not at all.'
  static override examples = examplesOf(['rate-deck import rd_01 retail.csv'])
  static override args = {
    id: Args.string({ description: 'id of the deck', required: true }),
    file: Args.string({ description: 'CSV file', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(RateDeckImport)
    const api = await this.operatorApi(flags.profile)
    const body = await uploadOf(args.file)
    const deck = await call(api, 'put', '/rate-decks/{id}/rates', { path: { id: args.id }, body })
    this.log(`${deck.title} has ${String(deck.rates)} rates.`)
    return deck
  }
}
