/** All types of steps, and their outcomes. */
import { editorOf } from './editors'
import { type Schema, emptyParams, fieldsOf, namesOutcomes, outcomesIn, withNumbers } from './fields'
import { iconOf } from './icons'
import type { NodeType, StepKind } from './step-kind'
import { type Params, type Step, otherwise } from './steps'

/** The keys of a menu. */
const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '*', '#']

/** The types that the server has: the same for all flows, and for as long as the page is open. */
let known: readonly NodeType[] = []
let byType: ReadonlyMap<string, StepKind> = new Map()

/** Takes the types that the API describes; the editor is drawn afterwards. */
export function learnKinds(types: readonly NodeType[]): void {
  if (types === known) return
  known = types
  byType = new Map(types.map((one) => [one.type, kindFrom(one)]))
}

function kindFrom(described: NodeType): StepKind {
  const { type, group, outcomes } = described
  const schema = described.params as Schema
  const fields = fieldsOf(schema)
  const editors = fields.flatMap((field) => (field.kind === 'editor' ? (editorOf(field.editor) ?? []) : []))
  const hasKeys = outcomes.includes('#')
  return {
    ...{ type, group, fields, hasKeys },
    icon: iconOf(described),
    outcomes: hasKeys ? [...keys, ...outcomes.filter((one) => !keys.includes(one))] : outcomes,
    namedOutcomes: namesOutcomes(schema) ? (params) => [...new Set(outcomesIn(schema, params))] : undefined,
    sent: (params) => withNumbers(schema, params) as Params,
    initial: Object.assign(emptyParams(fields), ...editors.map(({ initial }) => initial?.())) as Params,
  }
}

/** Second names, by which the API knows a type as well: new steps have the first one. */
const firstNames: ReadonlyMap<string, string> = new Map([['disconnect', 'hangup']])

/** Kinds of new steps that match, each once. */
export function newKinds(matches: (kind: StepKind) => boolean): StepKind[] {
  const named = offeredKinds()
    .filter(matches)
    .flatMap((kind) => kindOf(firstNames.get(kind.type) ?? kind.type) ?? [])
  return [...new Set(named)]
}

/** All types that can be added, in the order of the API. */
export function offeredKinds(): StepKind[] {
  return [...byType.values()].filter(({ group }) => group !== null)
}

/** Undefined for a type of a newer server: such steps are shown and saved unchanged. */
export function kindOf(type: string): StepKind | undefined {
  return byType.get(type)
}

/** The steps as the API takes them: it reads numbers in the workspace's country, but takes no separators. */
export function sentSteps(steps: readonly Step[]): Step[] {
  return steps.map((step) => ({ ...step, params: kindOf(step.type)?.sent(step.params) ?? step.params }))
}

/** Whether a type of step ends the call. */
export function endsCall(type: string): boolean {
  return kindOf(type)?.outcomes.length === 0
}

/** Where an outcome leads: the step of its own edge, else that of `default`; undefined ends the call. */
export function targetOf(
  { next }: { next: Readonly<Record<string, string>> },
  outcome: string,
): { to: string; isOtherwise: boolean } | undefined {
  const own = next[outcome]
  if (own) return { to: own, isOtherwise: false }
  const other = next[otherwise]
  return other ? { to: other, isOtherwise: true } : undefined
}

/** All outcomes of a step, `default` last; none if it ends the call. */
export function outcomesOf({ type, params, next }: { type: string; params: Params; next: object }): string[] {
  const kind = kindOf(type)
  if (!kind) return [...new Set([...Object.keys(next), otherwise])]
  return [...(kind.namedOutcomes?.(params) ?? []), ...kind.outcomes]
}

/** Outcomes that are drawn; of keys, those with an edge and the next free one. Invalid edges are drawn, too. */
export function shownOutcomes(step: { type: string; params: Params; next: object }): string[] {
  const all = outcomesOf(step)
  const strange = Object.keys(step.next).filter((outcome) => !all.includes(outcome))
  if (!kindOf(step.type)?.hasKeys) return [...all, ...strange]
  const free = keys.find((key) => !(key in step.next))
  return [
    ...all.filter((outcome) => !keys.includes(outcome) || outcome in step.next || outcome === free),
    ...strange,
  ]
}
