/** docs/reference/nodes.md: the nodes of a call flow. */
import { nodeTypes } from '../../server/dist/src/features/call-flows/nodes/index.js'
import { allActions } from '../../server/dist/src/features/calls/script/actions/index.js'
import { codes, page, prose, section, table } from './markdown.mjs'
import { parameterHeadings, parameterRows } from './parameters.mjs'

const intro = `A flow is a list of \`{"id", "type", "params", "next"}\`. \`next\` names the node that follows each outcome; \`default\` stands
for every outcome without an edge of its own. [Call flows](../calls/flows.md) shows flows and explains the nodes.`

export function nodesPage() {
  return page(
    'Flow nodes',
    intro,
    [...nodeTypes.values()].map((node) => {
      const outcomes = node.outcomes({ branches: [] }).filter((outcome) => outcome !== 'default')
      return section(
        node.type,
        `${prose(node.summary)}. ${outcomesOf(node.type, outcomes)}`.trim(),
        parametersOf(node),
      )
    }),
  )
}

/** @param {string} type @param {readonly string[]} outcomes */
function outcomesOf(type, outcomes) {
  if (type === 'split') return 'Outcomes: those of its branches.'
  return outcomes.length === 0 ? '' : `Outcomes: ${codes(outcomes)}.`
}

/** @param {import('../../server/dist/src/features/call-flows/nodes/flow-node.js').NodeType} node */
function parametersOf({ type, params }) {
  const action = allActions.find((one) => one.name === type && one.params === params)
  if (action) return `Parameters: those of the action [${action.name}](actions.md#${action.name}).`
  const rows = parameterRows(params)
  return rows.length === 0 ? '' : table(parameterHeadings, rows)
}
