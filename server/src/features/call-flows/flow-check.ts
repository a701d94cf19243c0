/** Checks a whole flow: each node by its type, the graph, and everything that is named. */
import type { ActionServices } from '../calls/script/actions/action.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { type FieldProblem, ValidationError } from '../../infrastructure/http/errors.js'
import { type Validator, bodyValidator, validateAt } from '../../infrastructure/http/validation.js'
import type { FlowNode } from './call-flow.entity.js'
import type { FlowNodeInput } from './call-flow.schema.js'
import { type GraphNode, graphProblems } from './graph.js'
import type { NodeType } from './nodes/flow-node.js'
import { nodeTypes } from './nodes/index.js'
import { startType } from './nodes/start.js'
import { type FlowReferences, type FoundReferences, type Reference, referencesIn } from './references.js'

/** Problems in one answer. */
const maxProblems = 100

const validators = new Map<string, Validator>(
  [...nodeTypes.values()].map(({ type, params }) => [type, bodyValidator(params)]),
)

/** A flow that may be kept, and what it names. */
interface CheckedFlow {
  nodes: FlowNode[]
  references: FoundReferences
}

interface CheckedNode extends FlowNode {
  /** Its place in the request. */
  field: string
  definition: NodeType | undefined
  problems: FieldProblem[]
}

/**
 * Checks the nodes of a flow.
 * @throws {ValidationError} with all that is wrong, each named by its place: `nodes.3.params.audio_id`
 */
export async function checkFlow(
  workspace: Owner,
  input: readonly FlowNodeInput[],
  services: ActionServices,
  references: FlowReferences,
): Promise<CheckedFlow> {
  const nodes = input.map(checkParams)
  const problems = [...nodes.flatMap((node) => node.problems), ...graphProblems(nodes.map(asGraph))]
  const sound = nodes.filter((node) => node.definition && node.problems.length === 0)
  const found = await references.find(workspace, sound.flatMap(referencesOf))
  problems.push(...found.missing.map(notThere))
  for (const node of sound) problems.push(...(await ownProblems(workspace, node, services)))
  const unique = oncePerField(problems)
  if (unique.length > 0) throw new ValidationError(unique.slice(0, maxProblems))
  return { nodes: nodes.map(asKept), references: found }
}

function asKept({ id, type, params, next, position }: CheckedNode): FlowNode {
  return { id, type, params, next, ...(position && { position }) }
}

function checkParams(
  { id, type, params = {}, next = {}, position }: FlowNodeInput,
  index: number,
): CheckedNode {
  const field = `nodes.${index}`
  const definition = nodeTypes.get(type)
  const check = validators.get(type)
  const problems = check
    ? validateAt(check, params, `${field}.params`)
    : [{ field: `${field}.type`, messages: [`${field}.type must be one of ${knownTypes}`] }]
  return { id, type, params, next, ...(position && { position }), field, definition, problems }
}

const knownTypes = [...nodeTypes.keys()].join(', ')

function asGraph({ id, type, params, next, definition, problems }: CheckedNode): GraphNode {
  const outcomes = definition && problems.length === 0 ? definition.outcomes(params) : null
  return { id, isStart: type === startType, waits: definition?.waits ?? false, outcomes, next }
}

function referencesOf({ definition, params, field }: CheckedNode): Reference[] {
  return definition ? referencesIn(definition.params, params, `${field}.params`) : []
}

function notThere({ field, kind }: Reference): FieldProblem {
  const what = kind.replaceAll('_', ' ')
  const article = /^[aeo]/.test(what) ? 'an' : 'a'
  return { field, messages: [`${field} is not ${article} ${what} of this workspace`] }
}

/** Problems that the node's type finds beyond its schema. */
async function ownProblems(
  workspace: Owner,
  { definition, params, next, field }: CheckedNode,
  services: ActionServices,
): Promise<FieldProblem[]> {
  const found = (await definition?.check?.(workspace, { params, next }, services)) ?? []
  return found.map(({ field: part, messages }) => ({
    field: `${field}.${part}`,
    messages: messages.map((message) => `${field}.${message}`),
  }))
}

/** The first that is said of a field is enough. */
function oncePerField(problems: readonly FieldProblem[]): FieldProblem[] {
  const byField = new Map<string, FieldProblem>()
  for (const problem of problems) if (!byField.has(problem.field)) byField.set(problem.field, problem)
  return [...byField.values()]
}
