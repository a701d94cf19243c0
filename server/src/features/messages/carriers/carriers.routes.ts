import Type from 'typebox'
import { endpoint, operator } from '../../../infrastructure/http/endpoint.js'
import { Id, idParams } from '../../../infrastructure/http/shapes.js'
import { withTimes } from '../../../infrastructure/resources/with-times.js'
import type { WorkspaceService } from '../../workspaces/workspace.service.js'
import type { CarrierSettings } from './carrier-settings.js'
import { type CarrierStatuses, unheld } from './carrier-status.js'
import type { Carrier } from './carrier.entity.js'
import { carrierResource } from './carrier.resource.js'
import { AssignCarriers, CarrierStatusShape, NumberCarriersShape } from './carrier.schema.js'
import type { CarrierService } from './carrier.service.js'
import type { NumberCarriers } from './number-carriers.js'

interface Services {
  carriers: CarrierService
  carrierSettings: CarrierSettings
  carrierStatuses: CarrierStatuses
  numberCarriers: NumberCarriers
  workspaces: WorkspaceService
}

const { tag } = carrierResource
const unknown = { 404: 'No such carrier' }
const numberOfWorkspace = Type.Object({ workspace_id: Id(), id: Id() })
const unknownNumber = { 404: 'No such workspace or number' }

export function carrierEndpoints(services: Services) {
  const { carriers, carrierSettings, carrierStatuses, numberCarriers, workspaces } = services
  /** Presents carriers with what is known of their links. */
  const presenter = {
    presenting: async (rows: readonly Carrier[]) => {
      const links = await carrierStatuses.linksOf(rows)
      return (carrier: Carrier) => ({
        ...withTimes(carrier),
        ...carrierSettings.shown(carrier),
        status: links.get(carrier.id) ?? unheld(carrier),
      })
    },
  }
  return [
    ...carrierResource.endpoints(carriers, presenter),
    endpoint({
      method: 'GET',
      path: '/carriers/:id/status',
      summary: 'Show how an SMS carrier is doing',
      tag,
      auth: operator,
      params: idParams,
      response: { 200: CarrierStatusShape },
      errors: unknown,
      handler: async ({ params }) => carrierStatuses.of(await carriers.get(params.id)),
    }),
    endpoint({
      method: 'GET',
      path: '/workspaces/:workspace_id/phone-numbers/:id/carriers',
      summary: 'Show the SMS carriers of a customer’s number',
      tag,
      auth: operator,
      params: numberOfWorkspace,
      response: { 200: NumberCarriersShape },
      errors: unknownNumber,
      handler: async ({ params }) => {
        const workspace = await workspaces.get(params.workspace_id)
        return presentAssigned(params.id, await numberCarriers.of(workspace, params.id))
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/workspaces/:workspace_id/phone-numbers/:id/carriers',
      summary: 'Assign SMS carriers to a customer’s number',
      description:
        'The number has the capability sms while it has carriers. Messages that wait for a carrier that it no longer has go to another, or fail if there is none.',
      tag,
      auth: operator,
      params: numberOfWorkspace,
      body: AssignCarriers,
      response: { 200: NumberCarriersShape },
      errors: unknownNumber,
      handler: async ({ params, body }) => {
        const workspace = await workspaces.get(params.workspace_id)
        return presentAssigned(params.id, await numberCarriers.assign(workspace, params.id, body.carrier_ids))
      },
    }),
  ]
}

function presentAssigned(phone_number_id: string, carriers: readonly Carrier[]) {
  const shown = carriers.map(({ id, title, kind, is_active }) => ({ id, title, kind, is_active }))
  return { phone_number_id, carriers: shown }
}
