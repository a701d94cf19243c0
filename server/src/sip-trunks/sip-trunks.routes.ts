import { apiKey, endpoint } from '../http/endpoint.js'
import { listAnswer, listOf, listQuery } from '../http/lists.js'
import { idParams } from '../http/shapes.js'
import type { ResolvedHost } from './inbound-acl-addresses.js'
import type { InboundAcl } from './inbound-acl.entity.js'
import type { InboundAclService } from './inbound-acl.service.js'
import type { OutboundGatewayService } from './outbound-gateway.service.js'
import type { GatewayPresenter } from './present-gateway.js'
import {
  CreateInboundAcl,
  CreateOutboundGateway,
  DeletedTrunkShape,
  GatewayQuery,
  InboundAclDetailShape,
  InboundAclShape,
  OutboundGatewayShape,
  UpdateInboundAcl,
  UpdateOutboundGateway,
} from './sip-trunk.schema.js'

interface Services {
  inboundAcls: InboundAclService
  outboundGateways: OutboundGatewayService
  gatewayPresenter: GatewayPresenter
}

const tag = 'SIP trunks'
const read = apiKey('any')
const write = apiKey('full')
const trunkList = listQuery({ limit: 10, sort: ['created_at', 'title'], search: 'Looks at the title' })

export function sipTrunkEndpoints({ inboundAcls, outboundGateways, gatewayPresenter }: Services) {
  return [
    endpoint({
      method: 'GET',
      path: '/sip-trunks/acls',
      summary: 'List inbound ACLs',
      tag,
      auth: read,
      query: trunkList,
      response: { 200: listOf(InboundAclShape) },
      handler: async ({ workspace, query }) =>
        listAnswer(query, await inboundAcls.list(workspace, query), presentAcl),
    }),
    endpoint({
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
    endpoint({
      method: 'POST',
      path: '/sip-trunks/acls',
      summary: 'Create an inbound ACL',
      tag,
      auth: write,
      body: CreateInboundAcl,
      response: { 201: InboundAclShape },
      errors: { 403: 'The workspace holds as many ACLs as it may' },
      handler: async ({ workspace, body }) => presentAcl(await inboundAcls.create(workspace, body)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/sip-trunks/acls/:id',
      summary: 'Change an inbound ACL',
      tag,
      auth: write,
      params: idParams,
      body: UpdateInboundAcl,
      response: { 200: InboundAclShape },
      errors: { 404: 'No such ACL' },
      handler: async ({ workspace, params, body }) =>
        presentAcl(await inboundAcls.update(workspace, params.id, body)),
    }),
    endpoint({
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
    endpoint({
      method: 'GET',
      path: '/sip-trunks/gateways',
      summary: 'List outbound gateways',
      tag,
      auth: read,
      query: GatewayQuery,
      response: { 200: listOf(OutboundGatewayShape) },
      handler: async ({ workspace, query }) => {
        const page = await outboundGateways.list(workspace, query)
        return listAnswer(query, page, await gatewayPresenter.forAll(page.rows))
      },
    }),
    endpoint({
      method: 'GET',
      path: '/sip-trunks/gateways/:id',
      summary: 'Show an outbound gateway',
      tag,
      auth: read,
      params: idParams,
      response: { 200: OutboundGatewayShape },
      errors: { 404: 'No such gateway' },
      handler: async ({ workspace, params }) =>
        gatewayPresenter.one(await outboundGateways.get(workspace, params.id)),
    }),
    endpoint({
      method: 'POST',
      path: '/sip-trunks/gateways',
      summary: 'Create an outbound gateway',
      tag,
      auth: write,
      description:
        'A gateway to any host is taken. Where it leads to a private network, a port below 1024 over UDP or TCP, or a carrier of other workspaces, its state is `pending_approval`, and no call goes over it until the operator approves it.',
      body: CreateOutboundGateway,
      response: { 201: OutboundGatewayShape },
      errors: { 403: 'The workspace holds as many gateways as it may' },
      handler: async ({ workspace, body }) =>
        gatewayPresenter.one(await outboundGateways.create(workspace, body)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/sip-trunks/gateways/:id',
      summary: 'Change an outbound gateway',
      tag,
      auth: write,
      params: idParams,
      body: UpdateOutboundGateway,
      response: { 200: OutboundGatewayShape },
      errors: {
        403: '`is_approved` is set by the operator alone',
        404: 'No such gateway',
      },
      handler: async ({ workspace, params, body }) =>
        gatewayPresenter.one(await outboundGateways.update(workspace, params.id, body)),
    }),
    endpoint({
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
  ]
}

function presentAcl({ calling_code: _, ...acl }: InboundAcl) {
  return { ...acl, created_at: acl.created_at.toISOString(), updated_at: acl.updated_at.toISOString() }
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
