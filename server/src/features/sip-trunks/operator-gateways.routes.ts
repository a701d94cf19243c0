/** Gateways of all workspaces: the operator approves those that wait. */
import { endpoint, operator } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf } from '../../infrastructure/http/lists.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import type { OutboundGatewayService } from './outbound-gateway.service.js'
import type { GatewayPresenter } from './gateway.presenter.js'
import { ApproveGateway, OperatorGatewayQuery, OutboundGatewayShape } from './sip-trunk.schema.js'

const tag = 'Operator'

interface Services {
  outboundGateways: Pick<OutboundGatewayService, 'listOfAll' | 'approve'>
  gatewayPresenter: GatewayPresenter
}

export function operatorGatewayEndpoints({ outboundGateways, gatewayPresenter }: Services) {
  return [
    endpoint({
      method: 'GET',
      path: '/operator/gateways',
      summary: 'List the outbound gateways of all workspaces',
      tag,
      auth: operator,
      query: OperatorGatewayQuery,
      response: { 200: listOf(OutboundGatewayShape) },
      handler: async ({ query }) => {
        const page = await outboundGateways.listOfAll(query)
        return listAnswer(query, page, await gatewayPresenter.presenting(page.rows))
      },
    }),
    endpoint({
      method: 'PATCH',
      path: '/operator/gateways/:id',
      summary: 'Approve an outbound gateway, or take the approval back',
      description:
        'Calls go over it once it is approved, and the workspace gets the webhook event `gateway.approved`. Without the approval it waits again if it leads to a private network, a port below 1024 over UDP or TCP, or a carrier of other workspaces.',
      tag,
      auth: operator,
      params: idParams,
      body: ApproveGateway,
      response: { 200: OutboundGatewayShape },
      errors: { 404: 'No such gateway' },
      handler: async ({ params, body }) =>
        gatewayPresenter.present(await outboundGateways.approve(params.id, body.is_approved)),
    }),
  ]
}
