/** Texts that agents send often. */
import type { Database } from '../database/database.js'
import { agent } from '../http/endpoint.js'
import { ResourceService, type ResourceRow } from '../resources/resource-service.js'
import { resource } from '../resources/resource.js'
import { CannedReply } from './canned-reply.entity.js'
import {
  CannedReplyShape,
  CreateCannedReply,
  UpdateCannedReply,
  cannedReplyQuery,
} from './canned-reply.schema.js'

export const cannedReply = resource({
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

export class CannedReplies extends ResourceService<CannedReply, CreateCannedReply, UpdateCannedReply> {
  constructor(database: Database, max: number) {
    super(cannedReply, { database, max })
  }

  protected rowOf(base: ResourceRow, input: CreateCannedReply) {
    return { ...base, ...input }
  }

  protected changesOf(input: UpdateCannedReply) {
    return input
  }
}
