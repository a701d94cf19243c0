/** SMS carriers, as the operator has them. */
import { listQuery } from '../../../infrastructure/http/lists.js'
import { operatorResource } from '../../../infrastructure/resources/resource.js'
import { CarrierShape, CreateCarrier, UpdateCarrier } from './carrier.schema.js'

export const carrierResource = operatorResource({
  ...{ path: '/carriers', noun: 'SMS carrier', article: 'an', tag: 'Carriers', unknown: 'No such carrier' },
  shape: CarrierShape,
  list: { query: listQuery({ limit: 20, sort: ['created_at', 'title'], search: 'Looks at id and title' }) },
  show: {},
  create: { body: CreateCarrier, summary: 'Connect an SMS carrier' },
  update: {
    body: UpdateCarrier,
    description:
      'Settings that are not sent stay as they are. The link restarts with the new settings. Messages that wait for a carrier that becomes inactive go to the next carrier of their number.',
  },
  delete: { errors: { 409: 'Numbers use it, or messages wait for it' } },
})
