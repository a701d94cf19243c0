/** Endpoints of drafts: they change nothing for callers until the draft is published. */
import Type from 'typebox'
import { apiKey, endpoint } from '../../infrastructure/http/endpoint.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import { CallFlowShape, FlowDraftShape, PublishFlowDraft, PutFlowDraft } from './call-flow.schema.js'
import type { CallFlowService } from './call-flow.service.js'
import { present, shownNodes } from './call-flow.presenter.js'
import type { CallFlowDraft, FlowDrafts } from './flow-drafts.js'
import { callFlowResource } from './call-flow.resource.js'
import type { ManagingActor } from '../../infrastructure/http/endpoint.js'

const { tag } = callFlowResource
const write = apiKey('full')

export function flowDraftEndpoints(callFlows: CallFlowService, drafts: FlowDrafts) {
  const shown = async (draft: CallFlowDraft, actor: ManagingActor) => {
    const { call_flow_id, base_version, revision, author_kind: kind, author_id: id, updated_at } = draft
    const names = await callFlows.authorNames([draft])
    // Clients choose their own ids: an id of an agent or a key is not theirs.
    const name = kind === 'client' ? null : names.get(id ?? '') || null
    return {
      ...{ call_flow_id, nodes: shownNodes(draft, actor), base_version, revision },
      updated_by: { kind, id, name },
      updated_at: updated_at.toISOString(),
    }
  }
  return [
    endpoint({
      method: 'GET',
      path: '/call-flows/:id/draft',
      summary: 'Show the draft of a call flow',
      tag,
      auth: apiKey('any'),
      params: idParams,
      response: { 200: FlowDraftShape },
      errors: { 404: 'No such flow, or it has no draft' },
      handler: async ({ workspace, actor, params }) => shown(await drafts.get(workspace, params.id), actor),
    }),
    endpoint({
      method: 'PUT',
      path: '/call-flows/:id/draft',
      summary: 'Store the draft of a call flow',
      description:
        'The nodes need not be complete: they are checked when the draft is published. Calls run the published version until then.',
      tag,
      auth: write,
      params: idParams,
      body: PutFlowDraft,
      response: { 200: FlowDraftShape },
      errors: { 404: 'No such flow', 409: 'The draft has another `revision`' },
      handler: async ({ workspace, actor, params, body }) =>
        shown(await drafts.put(workspace, params.id, body), actor),
    }),
    endpoint({
      method: 'DELETE',
      path: '/call-flows/:id/draft',
      summary: 'Discard the draft of a call flow',
      tag,
      auth: write,
      params: idParams,
      response: { 200: Type.Object({ call_flow_id: Type.String() }) },
      errors: { 404: 'No such flow, or it has no draft' },
      handler: async ({ workspace, params }) => {
        await drafts.delete(workspace, params.id)
        return { call_flow_id: params.id }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/call-flows/:id/publish',
      summary: 'Publish the draft of a call flow',
      description:
        'The nodes are checked as in a change of the flow, and become its newest version, which new calls run. The draft is gone then.',
      tag,
      auth: write,
      params: idParams,
      body: PublishFlowDraft,
      response: { 200: CallFlowShape },
      errors: {
        404: 'No such flow, or it has no draft',
        409: 'The draft has another `revision`, or the flow a newer version than the draft was made from',
      },
      handler: async ({ workspace, actor, params, body }) =>
        present(await callFlows.publish(workspace, params.id, body), actor),
    }),
  ]
}
