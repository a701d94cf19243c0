/** Call flows, as the API has them. */
import { resource } from '../../infrastructure/resources/resource.js'
import { CallFlow } from './call-flow.entity.js'
import { CallFlowShape, CreateCallFlow, UpdateCallFlow } from './call-flow.schema.js'

/** The list, whose flows are without their nodes, is an endpoint of its own. */
export const callFlowResource = resource({
  ...{ path: '/call-flows', noun: 'call flow', tag: 'Call flows', unknown: 'No such flow' },
  ...{ id: 'cf', table: CallFlow, search: ['title'], guarded: 'call_flow' },
  shape: CallFlowShape,
  show: {
    description:
      'Keys that may not write see `********` in place of the values of headers, and of credentials and query values in URLs. A change that sends a mask back keeps the stored value.',
  },
  create: {
    body: CreateCallFlow,
    description:
      'The nodes are checked as a graph, and the answer lists all problems at once, each with its place, such as `nodes.3.next.busy`.',
  },
  update: {
    body: UpdateCallFlow,
    description:
      '`nodes` replaces all nodes. With `base_version`, the change is refused if the flow has a newer version, so that no one overwrites another person’s changes.',
    errors: {
      409: 'Its trigger changes while something uses it, or it has a newer version than `base_version`',
    },
  },
  delete: { errors: { 409: 'Something uses it' } },
})
