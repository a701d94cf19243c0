/** All types of steps (docs/calls/flows.md), and their outcomes. */
import { connections } from './kinds/connections'
import { decisions } from './kinds/decisions'
import { ends } from './kinds/ends'
import { services } from './kinds/services'
import { sounds } from './kinds/sounds'
import { type StepKind, keys } from './step-kind'
import { type Params, otherwise } from './steps'

const kinds = [...sounds, ...connections, ...decisions, ...services, ...ends]

const byType = new Map(kinds.map((kind) => [kind.type, kind]))

/** All types that can be added, by group. */
export const offered: readonly StepKind[] = [...byType.values()].filter(({ group }) => group !== null)

/** Undefined for a type of a newer server: such steps are shown and saved unchanged. */
export function kindOf(type: string): StepKind | undefined {
  return byType.get(type)
}

/** All outcomes of a step, `default` last; none if it ends the call. */
export function outcomesOf({ type, params, next }: { type: string; params: Params; next: object }): string[] {
  const kind = kindOf(type)
  if (!kind) return [...new Set([...Object.keys(next), otherwise])]
  if (kind.outcomes === null) return []
  const own = typeof kind.outcomes === 'function' ? kind.outcomes(params) : kind.outcomes
  return [...own, otherwise]
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
