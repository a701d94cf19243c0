/** A type of step as the editor knows it. */
import type { components } from '@jackfield/sdk'
import type { Icon } from '@tabler/icons-react'
import type { Field } from './fields'
import type { Params } from './steps'

/** A type of step as the API describes it. */
export type NodeType = components['schemas']['FlowNodeType']

export type StepGroup = NonNullable<NodeType['group']>

export interface StepKind {
  type: string
  icon: Icon
  /** Null: it cannot be added, since each flow has exactly one. */
  group: StepGroup | null
  fields: readonly Field[]
  /** Those that do not depend on the parameters, `default` last; none if it ends the call. */
  outcomes: readonly string[]
  /** Outcomes that its parameters name; undefined if they name none. */
  namedOutcomes: ((params: Params) => readonly string[]) | undefined
  /** The parameters as they are sent: telephone numbers in them have no separators. */
  sent: (params: Params) => Params
  /** Parameters of a new step. */
  initial: Params
  /** Too many outcomes to draw: only those with an edge are shown, and the next free one. */
  hasKeys: boolean
}
