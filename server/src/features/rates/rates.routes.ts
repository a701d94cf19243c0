import Type from 'typebox'
import { RawAnswer, endpoint, operator } from '../../infrastructure/http/endpoint.js'
import { invalidField } from '../../infrastructure/http/errors.js'
import { listAnswer, listOf } from '../../infrastructure/http/lists.js'
import { Id, idParams } from '../../infrastructure/http/shapes.js'
import { type WorkspaceNumbers, notANumber } from '../phone-numbers/workspace-numbers.js'
import { withTimes } from '../../infrastructure/resources/with-times.js'
import type { WorkspaceService } from '../workspaces/workspace.service.js'
import type { RateKind } from './deck-rate.entity.js'
import { rateDeckResource } from './rate-deck.resource.js'
import type { RateDeckService } from './rate-deck.service.js'
import { maxFileBytes, maxRates } from './rate-file.js'
import type { FoundRate, Rates } from './rates.js'
import { FoundRateShape, LookupQuery, RateDeckShape, RateQuery, RateShape } from './rates.schema.js'

interface Services {
  numbers: WorkspaceNumbers
  rateDecks: RateDeckService
  rates: Rates
  workspaces: WorkspaceService
}

const { tag } = rateDeckResource
/** The called or texted number in E.164; for incoming calls our own number. */
const numberOfWorkspace = Type.Object({ id: Id(), number: Id() })
const unknown = { 404: 'No such rate deck' }

export function rateEndpoints({ rateDecks, rates, numbers, workspaces }: Services) {
  return [
    ...rateDeckResource.endpoints(rateDecks, withTimes),
    endpoint({
      method: 'GET',
      path: '/rate-decks/:id/rates',
      summary: 'List the rates of a deck',
      tag,
      auth: operator,
      params: idParams,
      query: RateQuery,
      response: { 200: listOf(RateShape) },
      errors: unknown,
      handler: async ({ params, query }) =>
        listAnswer(query, await rateDecks.page(params.id, query), presentRate),
    }),
    endpoint({
      method: 'PUT',
      path: '/rate-decks/:id/rates',
      summary: 'Replace all rates of a deck by those of a CSV file',
      description: `The file has a heading and ${maxRates} rates at most: \`prefix\` and \`price\`, and where wanted \`kind\`, \`destination\`, \`connection_fee\`, \`minimum_seconds\`, \`increment_seconds\`, \`is_blocked\` and \`valid_from\`. It is taken as a whole or not at all.`,
      tag,
      auth: operator,
      tier: 'heavy',
      params: idParams,
      upload: { field: 'file', maxBytes: maxFileBytes },
      response: { 200: RateDeckShape },
      errors: { ...unknown },
      handler: async ({ params, file }) => {
        if (!file) throw invalidField('file', 'file is required: a CSV file in a multipart form')
        return withTimes(await rateDecks.replace(params.id, file.path))
      },
    }),
    endpoint({
      method: 'GET',
      path: '/rate-decks/:id/rates.csv',
      audited: 'rate_deck.export',
      summary: 'Download the rates of a deck as CSV, which can be imported again',
      tag,
      auth: operator,
      tier: 'heavy',
      params: idParams,
      response: { 200: Type.String({ format: 'binary', contentMediaType: 'text/csv' }) },
      errors: unknown,
      handler: async ({ params }) =>
        new RawAnswer('text/csv; charset=utf-8; header=present', await rateDecks.export(params.id), {
          'Content-Disposition': `attachment; filename="rates-${params.id}.csv"`,
          'Cache-Control': 'no-store',
        }),
    }),
    endpoint({
      method: 'GET',
      path: '/workspaces/:id/rates/:number',
      summary: 'Show which rate holds for a number',
      tag,
      auth: operator,
      params: numberOfWorkspace,
      query: LookupQuery,
      response: { 200: FoundRateShape },
      errors: { 404: 'No such workspace' },
      handler: async ({ params, query }) => {
        const workspace = await workspaces.get(params.id)
        const number = await numbers.read(workspace, params.number)
        if (!number) throw invalidField('number', notANumber('number'))
        const found = await rates.find(workspace, query.kind, number.digits)
        return { rate: found && presentRate({ ...found, kind: query.kind }) }
      },
    }),
  ]
}

function presentRate(rate: FoundRate & { kind: RateKind }) {
  return { ...rate, valid_from: rate.valid_from.getTime() === 0 ? null : rate.valid_from.toISOString() }
}
