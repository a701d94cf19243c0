import Type from 'typebox'
import { byCreation, exportEndpoint, importEndpoint } from '../../infrastructure/csv/csv-endpoints.js'
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { apiKey, endpoint, everyRole, operator } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf } from '../../infrastructure/http/lists.js'
import { Id, idParams } from '../../infrastructure/http/shapes.js'
import type { InboundAclService } from '../sip-trunks/inbound-acl.service.js'
import type { OutboundGatewayService } from '../sip-trunks/outbound-gateway.service.js'
import type { WorkspaceService } from '../workspaces/workspace.service.js'
import type { SharedNumber } from './number-teams.js'
import {
  ConnectNumber,
  NumberQuery,
  PhoneNumberDetailShape,
  PhoneNumberShape,
  SetNumber,
} from './phone-number.schema.js'
import { numberCells, numberImporter } from './phone-number-csv.js'
import { phoneNumberResource } from './phone-number.resource.js'
import type { PhoneNumberService } from './phone-number.service.js'
import { presentNumber } from './phone-number.presenter.js'

const csv = { path: phoneNumberResource.path, tag: phoneNumberResource.tag, plural: 'phone numbers' }

interface Services {
  database: Database
  phoneNumbers: PhoneNumberService
  inboundAcls: InboundAclService
  outboundGateways: OutboundGatewayService
  workspaces: WorkspaceService
}

const { tag } = phoneNumberResource
const readDetail = apiKey('full', everyRole)
const write = apiKey('full')
const numberOfWorkspace = Type.Object({ workspace_id: Id(), id: Id() })

export function phoneNumberEndpoints(services: Services) {
  const { database, phoneNumbers, workspaces } = services
  return [
    // Its path would match /phone-numbers/:id, too.
    exportEndpoint({
      ...csv,
      ...{ audited: 'phone_number', query: NumberQuery, cells: numberCells },
      cursorOf: byCreation,
      list: async (workspace, query) => phoneNumbers.list(workspace, query),
    }),
    importEndpoint(
      database,
      csv,
      (workspace) => numberImporter(phoneNumbers, workspace),
      '`number`, `country_code`, `title`, `inbound_acl_id`, `enable_outbound`, and where wanted `outbound_gateway_id`, `call_flow_id`, `shared_teams_id`, `record_outbound`',
    ),
    ...phoneNumberResource.endpoints(phoneNumbers, presentNumber, {
      show: endpoint({
        method: 'GET',
        path: '/phone-numbers/:id',
        summary: 'Show a phone number with its trunks',
        tag,
        auth: readDetail,
        params: idParams,
        response: { 200: PhoneNumberDetailShape },
        errors: { 404: 'No such number' },
        handler: async ({ workspace, params }) =>
          presentDetail(services, workspace, await phoneNumbers.get(workspace, params.id)),
      }),
    }),
    endpoint({
      method: 'POST',
      path: '/phone-numbers/connect',
      summary: 'Connect a number of your own trunk',
      tag,
      auth: write,
      body: ConnectNumber,
      response: { 201: PhoneNumberShape },
      errors: { 403: 'The workspace holds 100 numbers', 409: 'The number exists in the workspace' },
      handler: async ({ workspace, body }) => presentNumber(await phoneNumbers.connect(workspace, body)),
    }),
    endpoint({
      method: 'GET',
      path: '/workspaces/:id/phone-numbers',
      summary: 'List a customer’s numbers',
      tag: 'Operator',
      auth: operator,
      params: idParams,
      query: NumberQuery,
      response: { 200: listOf(PhoneNumberShape) },
      errors: { 404: 'No such workspace' },
      handler: async ({ params, query }) => {
        const workspace = await workspaces.get(params.id)
        return listAnswer(query, await phoneNumbers.list(workspace, query), presentNumber)
      },
    }),
    endpoint({
      method: 'PATCH',
      path: '/workspaces/:workspace_id/phone-numbers/:id',
      summary: 'Set status, capabilities and prices of a customer’s number',
      tag: 'Operator',
      auth: operator,
      params: numberOfWorkspace,
      body: SetNumber,
      response: { 200: PhoneNumberShape },
      errors: { 404: 'No such workspace or number' },
      handler: async ({ params, body }) =>
        presentNumber(await phoneNumbers.set(await workspaces.get(params.workspace_id), params.id, body)),
    }),
    endpoint({
      method: 'POST',
      path: '/workspaces/:workspace_id/phone-numbers/:id/activate',
      summary: 'Activate a customer’s number',
      tag: 'Operator',
      auth: operator,
      params: numberOfWorkspace,
      response: { 200: PhoneNumberShape },
      errors: { 404: 'No such workspace or number' },
      handler: async ({ params }) => {
        const workspace = await workspaces.get(params.workspace_id)
        return presentNumber(await phoneNumbers.set(workspace, params.id, { status: 'active' }))
      },
    }),
  ]
}

async function presentDetail(services: Services, workspace: Owner, number: SharedNumber) {
  const [acl, gateway] = await Promise.all([
    services.inboundAcls.get(workspace, number.inbound_acl_id),
    number.outbound_gateway_id ? services.outboundGateways.get(workspace, number.outbound_gateway_id) : null,
  ])
  return {
    ...presentNumber(number),
    acl: presentTrunk(acl),
    ...(gateway && { gateway: presentTrunk(gateway) }),
  }
}

function presentTrunk({ id, title, workspace_id }: { id: string; title: string; workspace_id: string }) {
  return { id, name: title, workspace_id }
}
