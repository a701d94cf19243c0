import Type from 'typebox'
import { endpoint, operator } from '../../infrastructure/http/endpoint.js'
import { CellName, CellShape, CellsShape } from './cell.schema.js'
import type { CellService } from './cell.service.js'

const params = Type.Object({ name: CellName })
const tag = 'Operator'
const unknown = { 404: 'There is no cell of this name' }

export function cellEndpoints({ cells }: { cells: CellService }) {
  return [
    endpoint({
      method: 'GET',
      path: '/operator/cells',
      summary: 'List the cells: switches, each with the servers that drive it',
      ...{ tag, auth: operator },
      response: { 200: CellsShape },
      handler: async () => ({ data: await cells.list() }),
    }),
    endpoint({
      method: 'PUT',
      path: '/operator/cells/:name/drain',
      summary: 'Have a cell take no new calls: those that live in it go on to their end',
      description:
        'New calls go to the other cells; where no other one is up they are answered 503. It holds until it is ended, also over restarts.',
      ...{ tag, auth: operator, params, errors: unknown },
      response: { 200: CellShape },
      handler: async ({ params: { name } }) => cells.setDraining(name, true),
    }),
    endpoint({
      method: 'DELETE',
      path: '/operator/cells/:name/drain',
      summary: 'Have a cell take calls again',
      ...{ tag, auth: operator, params, errors: unknown },
      response: { 200: CellShape },
      handler: async ({ params: { name } }) => cells.setDraining(name, false),
    }),
  ]
}
