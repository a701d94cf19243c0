/** Texts that agents send often. */
import { agent } from '../http/endpoint.js'
import type { ResourceParts } from '../resources/resource-rows.js'
import { type ResourceRow, ResourceService } from '../resources/resource-service.js'
import { resource } from '../resources/resource.js'
import { withTimes } from '../resources/with-times.js'
import { CannedReply } from './canned-reply.entity.js'
import {
  CannedReplyShape,
  CreateCannedReply,
  UpdateCannedReply,
  cannedReplyQuery,
} from './canned-reply.schema.js'

export const cannedReplyResource = resource({
  ...{ path: '/call-center/canned-replies', tag: 'Conversations' },
  ...{ noun: 'canned reply', plural: 'canned replies' },
  auth: { read: agent(), write: agent('leader', 'supervisor') },
  ...{ id: 'can', table: CannedReply, search: ['title', 'body'] },
  order: { sort_field: 'title', sort_order: 'asc' },
  shape: CannedReplyShape,
  list: {
    query: cannedReplyQuery,
    description: 'By their titles. Placeholders in them are the app’s to fill.',
  },
  create: {
    body: CreateCannedReply,
    summary: 'Add a canned reply',
    errors: { 403: 'The workspace holds as many as it may' },
  },
  update: { body: UpdateCannedReply },
  delete: {},
})

class CannedReplies extends ResourceService<CannedReply, CreateCannedReply, UpdateCannedReply> {
  protected rowOf(base: ResourceRow, input: CreateCannedReply) {
    return { ...base, ...input }
  }

  protected changesOf(input: UpdateCannedReply) {
    return input
  }
}

export function cannedReplyEndpoints(parts: ResourceParts) {
  return cannedReplyResource.endpoints(new CannedReplies(cannedReplyResource, parts), withTimes)
}
