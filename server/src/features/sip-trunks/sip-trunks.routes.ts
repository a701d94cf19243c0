import { apiKey, endpoint } from '../../infrastructure/http/endpoint.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import { withTimes } from '../../infrastructure/resources/with-times.js'
import type { GatewayPresenter } from './gateway.presenter.js'
import type { ResolvedHost } from './inbound-acl-addresses.js'
import type { InboundAcl } from './inbound-acl.entity.js'
import { inboundAclResource } from './inbound-acl.resource.js'
import type { InboundAclService } from './inbound-acl.service.js'
import { outboundGatewayResource } from './outbound-gateway.resource.js'
import type { OutboundGatewayService } from './outbound-gateway.service.js'
import { DeletedTrunkShape, InboundAclDetailShape } from './sip-trunk.schema.js'

interface Services {
  inboundAcls: InboundAclService
  outboundGateways: OutboundGatewayService
  gatewayPresenter: GatewayPresenter
}

const tag = 'SIP trunks'
const read = apiKey('any')
const write = apiKey('full')

export function sipTrunkEndpoints({ inboundAcls, outboundGateways, gatewayPresenter }: Services) {
  return [
    ...inboundAclResource.endpoints(inboundAcls, presentAcl, {
      show: endpoint({
        method: 'GET',
        path: '/sip-trunks/acls/:id',
        summary: 'Show an inbound ACL',
        tag,
        auth: read,
        params: idParams,
        response: { 200: InboundAclDetailShape },
        errors: { 404: 'No such ACL' },
        handler: async ({ workspace, params }) => {
          const acl = await inboundAcls.get(workspace, params.id)
          return presentAclDetail(acl, await inboundAcls.resolved(acl))
        },
      }),
      delete: endpoint({
        method: 'DELETE',
        path: '/sip-trunks/acls/:id',
        summary: 'Delete an inbound ACL',
        tag,
        auth: write,
        params: idParams,
        response: { 200: DeletedTrunkShape },
        errors: { 404: 'No such ACL', 409: 'Phone numbers use it' },
        handler: async ({ workspace, params }) =>
          presentDeleted(await inboundAcls.delete(workspace, params.id)),
      }),
    }),
    ...outboundGatewayResource.endpoints(outboundGateways, gatewayPresenter, {
      delete: endpoint({
        method: 'DELETE',
        path: '/sip-trunks/gateways/:id',
        summary: 'Delete an outbound gateway',
        tag,
        auth: write,
        params: idParams,
        response: { 200: DeletedTrunkShape },
        errors: { 404: 'No such gateway', 409: 'Phone numbers use it' },
        handler: async ({ workspace, params }) =>
          presentDeleted(await outboundGateways.delete(workspace, params.id)),
      }),
    }),
  ]
}

function presentAcl({ calling_code: _, ...acl }: InboundAcl) {
  return withTimes(acl)
}

function presentAclDetail(acl: InboundAcl, hosts: readonly ResolvedHost[]) {
  const resolved_hosts = hosts.map((host) => ({
    ...host,
    resolved_at: host.resolved_at?.toISOString() ?? null,
  }))
  return { ...presentAcl(acl), ...(acl.mode === 'domain' && { resolved_hosts }) }
}

function presentDeleted({ id, workspace_id, title }: { id: string; workspace_id: string; title: string }) {
  return { id, workspace_id, title }
}
