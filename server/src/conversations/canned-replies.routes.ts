import { agent, endpoint } from '../http/endpoint.js'
import { listAnswer, listOf } from '../http/lists.js'
import { idParams } from '../http/shapes.js'
import type { CannedReply } from './canned-reply.entity.js'
import type { CannedReplies } from './canned-reply.service.js'
import {
  CannedReplyShape,
  CreateCannedReply,
  UpdateCannedReply,
  cannedReplyQuery,
} from './canned-reply.schema.js'

const tag = 'Conversations'
const managers = agent('leader', 'supervisor')
const errors = { 404: 'No such canned reply' }

export function cannedReplyEndpoints({ cannedReplies }: { cannedReplies: CannedReplies }) {
  return [
    endpoint({
      method: 'GET',
      path: '/call-center/canned-replies',
      summary: 'List canned replies',
      description: 'By their titles. Placeholders in them are the app’s to fill.',
      tag,
      auth: agent(),
      query: cannedReplyQuery,
      response: { 200: listOf(CannedReplyShape) },
      handler: async ({ workspace, query }) =>
        listAnswer(query, await cannedReplies.list(workspace, query), present),
    }),
    endpoint({
      method: 'POST',
      path: '/call-center/canned-replies',
      summary: 'Add a canned reply',
      tag,
      auth: managers,
      body: CreateCannedReply,
      response: { 201: CannedReplyShape },
      errors: { 403: 'The workspace holds as many as it may' },
      handler: async ({ workspace, body }) => present(await cannedReplies.create(workspace, body)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/call-center/canned-replies/:id',
      summary: 'Change a canned reply',
      tag,
      auth: managers,
      params: idParams,
      body: UpdateCannedReply,
      response: { 200: CannedReplyShape },
      errors,
      handler: async ({ workspace, params, body }) =>
        present(await cannedReplies.update(workspace, params.id, body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/call-center/canned-replies/:id',
      summary: 'Delete a canned reply',
      tag,
      auth: managers,
      params: idParams,
      response: { 200: CannedReplyShape },
      errors,
      handler: async ({ workspace, params }) => present(await cannedReplies.delete(workspace, params.id)),
    }),
  ]
}

function present({ created_at, updated_at, ...reply }: CannedReply) {
  return { ...reply, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() }
}
