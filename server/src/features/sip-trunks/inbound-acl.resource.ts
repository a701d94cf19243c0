/** Inbound ACLs, as the API has them. */
import { resource } from '../../infrastructure/resources/resource.js'
import { InboundAcl } from './inbound-acl.entity.js'
import { CreateInboundAcl, InboundAclShape, UpdateInboundAcl, trunkList } from './sip-trunk.schema.js'

/** To show one, and to delete it, are endpoints of their own with other answers. */
export const inboundAclResource = resource({
  ...{ path: '/sip-trunks/acls', noun: 'inbound ACL', tag: 'SIP trunks', unknown: 'No such ACL' },
  ...{ id: 'acl', table: InboundAcl, search: ['title'], hidden: ['calling_code'], guarded: 'inbound_acl' },
  shape: InboundAclShape,
  list: { query: trunkList },
  create: { body: CreateInboundAcl, errors: { 403: 'The workspace holds as many ACLs as it may' } },
  update: { body: UpdateInboundAcl },
})
