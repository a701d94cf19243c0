import Type from 'typebox'
import { apiKey, endpoint } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf, listQuery, pageQuery } from '../../infrastructure/http/lists.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import { present, presentListed, shownNodes } from './call-flow.presenter.js'
import {
  CheckCallFlow,
  FlowCheckShape,
  FlowNodeTypesShape,
  FlowVersionShape,
  ListedCallFlowShape,
  ListedFlowVersionShape,
  flowVersionParams,
} from './call-flow.schema.js'
import { callFlowResource } from './call-flow.resource.js'
import type { CallFlowService } from './call-flow.service.js'
import type { CallFlowVersion } from './flow-versions.js'
import { describedNodes } from './nodes/described.js'
import type { FlowNames } from './simulate/names.js'
import { SimulateCallFlow, SimulateUnsaved, SimulationShape } from './simulate/simulate.schema.js'
import type { CallFlowSimulator } from './simulate/simulator.js'

const { tag } = callFlowResource
const read = apiKey('any')

const flowList = Type.Object({
  ...listQuery({ limit: 20, sort: ['created_at', 'title'], search: 'Looks at the title' }).properties,
  trigger_type: Type.Optional(Type.Enum(['inbound', 'outbound'])),
})

interface Parts {
  callFlows: CallFlowService
  flowNames: FlowNames
  simulator: CallFlowSimulator
}

export function callFlowEndpoints({ callFlows, flowNames, simulator }: Parts) {
  return [
    endpoint({
      method: 'GET',
      path: '/call-flows',
      summary: 'List call flows',
      description: 'Without their nodes.',
      tag,
      auth: read,
      query: flowList,
      response: { 200: listOf(ListedCallFlowShape) },
      handler: async ({ workspace, query }) =>
        listAnswer(query, await callFlows.list(workspace, query), presentListed),
    }),
    // Before the flow of an id, as the first match answers.
    endpoint({
      method: 'GET',
      path: '/call-flows/node-types',
      summary: 'List the types of nodes',
      description:
        'All that an editor of flows must know: the parameters and outcomes of each type. The console draws its forms from it.',
      tag,
      auth: read,
      response: { 200: FlowNodeTypesShape },
      handler: async () => Promise.resolve({ data: [...describedNodes] }),
    }),
    ...callFlowResource.endpoints(
      {
        get: async (workspace, id) => callFlows.numbered(workspace, id),
        create: async (workspace, body) => callFlows.create(workspace, body),
        update: async (workspace, id, body) => callFlows.update(workspace, id, body),
        delete: async (workspace, id) => callFlows.delete(workspace, id),
      },
      (flow, { actor }) => present(flow, actor),
    ),
    endpoint({
      method: 'POST',
      path: '/call-flows/:id/simulate',
      summary: 'Try a call flow without a telephone',
      description:
        'Returns the path that a call would take. Dials no one, asks none of your servers, and stores nothing.',
      tag,
      auth: read,
      params: idParams,
      body: SimulateCallFlow,
      response: { 200: SimulationShape },
      errors: { 404: 'No such flow' },
      handler: async ({ workspace, params, body }) =>
        simulator.simulate(workspace, await callFlows.get(workspace, params.id), body),
    }),
    endpoint({
      method: 'GET',
      path: '/call-flows/:id/versions',
      summary: 'List the versions of a call flow, newest first',
      description:
        'Each change of the nodes makes a version; the last 50 are kept. To restore one, send its nodes with `PATCH /call-flows/:id`.',
      tag,
      auth: read,
      params: idParams,
      query: pageQuery(50),
      response: { 200: listOf(ListedFlowVersionShape) },
      errors: { 404: 'No such flow' },
      handler: async ({ workspace, params, query }) => {
        const found = await callFlows.listVersions(workspace, params.id, query)
        const names = await callFlows.authorNames(found.rows)
        return listAnswer(query, found, ({ node_count, ...version }) => ({
          ...shownVersion(version, names),
          node_count,
        }))
      },
    }),
    endpoint({
      method: 'GET',
      path: '/call-flows/:id/versions/:version',
      summary: 'Show a version of a call flow',
      tag,
      auth: read,
      params: flowVersionParams,
      response: { 200: FlowVersionShape },
      errors: { 404: 'No such flow or version' },
      handler: async ({ workspace, actor, params }) => {
        const version = await callFlows.getVersion(workspace, params.id, params.version)
        return {
          ...shownVersion(version, await callFlows.authorNames([version])),
          nodes: shownNodes(version, actor),
        }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/call-flows/check',
      summary: 'Check the nodes of a call flow',
      description:
        'Lists the problems that creating a flow of these nodes would report, and the names of the objects that they refer to. Nothing is stored.',
      tag,
      auth: read,
      body: CheckCallFlow,
      response: { 200: FlowCheckShape },
      handler: async ({ workspace, body }) => {
        const problems = await callFlows.problemsOf(workspace, body.nodes)
        const names = await flowNames.ofNodes(workspace, body.nodes)
        return { valid: problems.length === 0, problems: [...problems], names }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/call-flows/simulate',
      summary: 'Try an unsaved call flow',
      description: 'Works like the simulation of a stored flow; invalid nodes are rejected.',
      tag,
      auth: read,
      body: SimulateUnsaved,
      response: { 200: SimulationShape },
      handler: async ({ workspace, body: { trigger_type, nodes, ...request } }) =>
        simulator.simulate(
          workspace,
          { trigger_type, nodes: await callFlows.checkedNodes(workspace, nodes) },
          request,
        ),
    }),
  ]
}

function shownVersion(
  {
    call_flow_id,
    version,
    author_kind: kind,
    author_id: id,
    created_at,
  }: Omit<CallFlowVersion, 'nodes' | 'workspace_id'>,
  names: ReadonlyMap<string, string>,
) {
  // Clients choose their own ids: an id of an agent or a key is not theirs.
  const name = kind === 'client' ? null : names.get(id ?? '') || null
  return {
    ...{ call_flow_id, version },
    created_by: kind === null ? null : { kind, id, name },
    created_at: created_at.toISOString(),
  }
}
