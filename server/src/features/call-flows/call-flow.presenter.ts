/** Flows as the API shows them. */
import { type ManagingActor, mayWrite } from '../../infrastructure/http/endpoint.js'
import { maskedValue } from '../../infrastructure/http/masked-secrets.js'
import type { CallFlow, FlowUse, NumberedFlow } from './call-flow.entity.js'

export function presentListed(flow: CallFlow & FlowUse) {
  const { id, workspace_id, title, trigger_type, dial_code, phone_numbers, has_draft } = flow
  const { created_at, updated_at } = flow
  return {
    ...{ id, workspace_id, title, trigger_type, dial_code },
    ...{ phone_numbers: [...phone_numbers], has_draft },
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}

export function present(flow: NumberedFlow, actor: ManagingActor) {
  return { ...presentListed(flow), version: flow.version, nodes: shownNodes(flow, actor) }
}

/** Readers see masks for headers, and for credentials and query values in URLs. */
export function shownNodes({ nodes }: Pick<CallFlow, 'nodes'>, actor: ManagingActor): CallFlow['nodes'] {
  return mayWrite(actor) ? nodes : (maskedValue(nodes) as CallFlow['nodes'])
}
