/** Outbound gateways, as the API has them. */
import { resource } from '../../infrastructure/resources/resource.js'
import { OutboundGateway } from './outbound-gateway.entity.js'
import {
  CreateOutboundGateway,
  GatewayQuery,
  OutboundGatewayShape,
  UpdateOutboundGateway,
} from './sip-trunk.schema.js'

/** To delete one is an endpoint of its own, with another answer. */
export const outboundGatewayResource = resource({
  ...{ path: '/sip-trunks/gateways', noun: 'outbound gateway', tag: 'SIP trunks' },
  unknown: 'No such gateway',
  ...{ id: 'gw', table: OutboundGateway, search: ['title'], guarded: 'outbound_gateway' },
  hidden: ['credential_password'],
  fields: { credential_username: 'credential.username', credential_password: 'credential.password' },
  shape: OutboundGatewayShape,
  list: { query: GatewayQuery },
  show: {},
  create: {
    body: CreateOutboundGateway,
    description:
      'A gateway to any host is taken. Where it leads to a private network, a port below 1024 over UDP or TCP, or a carrier of other workspaces, its state is `pending_approval`, and no call goes over it until the operator approves it.',
    errors: { 403: 'The workspace holds as many gateways as it may' },
  },
  update: { body: UpdateOutboundGateway, errors: { 403: '`is_approved` is set by the operator alone' } },
})
