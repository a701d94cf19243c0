import { apiKey, endpoint } from '../../../infrastructure/http/endpoint.js'
import { listAnswer, listOf, listQuery } from '../../../infrastructure/http/lists.js'
import { idParams } from '../../../infrastructure/http/shapes.js'
import type { Erasure } from './erasure.entity.js'
import { CreateErasure, ErasureShape } from './erasure.schema.js'
import type { ErasureService } from './erasure.service.js'

const tag = 'Erasures'
const read = apiKey('any')
const write = apiKey('full', ['owner', 'editor'])

export function erasureEndpoints({ erasures }: { erasures: ErasureService }) {
  return [
    endpoint({
      method: 'GET',
      path: '/erasures',
      summary: 'List requests to delete everything of one person',
      tag,
      auth: read,
      query: listQuery({ limit: 20, sort: ['created_at'] }),
      response: { 200: listOf(ErasureShape) },
      handler: async ({ workspace, query }) =>
        listAnswer(query, await erasures.list(workspace, query), present),
    }),
    endpoint({
      method: 'POST',
      path: '/erasures',
      summary: 'Delete everything of one person',
      description:
        'By number, by contact with all of its numbers, or as `client:<sub>` a user of your own app. It is done in the background and survives a restart: calls with their timelines, transcripts, recordings and captured SIP, conversations with their messages and files, the contact, devices of the client, and webhook deliveries about them are deleted; the number is hidden in the texts of others, in the audit log and in kept answers. An opt-out stays, as it must hold. What is under way is deleted when it is over.',
      tag,
      auth: write,
      tier: 'heavy',
      body: CreateErasure,
      response: { 201: ErasureShape },
      errors: { 404: 'No such contact' },
      handler: async ({ workspace, body }) => present(await erasures.create(workspace, body)),
    }),
    endpoint({
      method: 'GET',
      path: '/erasures/:id',
      summary: 'Show how far an erasure is, and what it has deleted',
      tag,
      auth: read,
      params: idParams,
      response: { 200: ErasureShape },
      errors: { 404: 'No such erasure' },
      handler: async ({ workspace, params }) => present(await erasures.get(workspace, params.id)),
    }),
  ]
}

function present(erasure: Erasure) {
  const { id, workspace_id, status, label, deleted, waiting_for } = erasure
  const { requested_by_kind: kind, requested_by_id: actorId } = erasure
  return {
    ...{ id, workspace_id, status, label, deleted, waiting_for },
    requested_by: { kind, id: actorId },
    created_at: erasure.created_at.toISOString(),
    started_at: erasure.started_at?.toISOString() ?? null,
    ended_at: erasure.ended_at?.toISOString() ?? null,
  }
}
