/** All decisions, by the type of their node. */
import { otherwise } from '../nodes/node-type.js'
import { startType } from '../nodes/index.js'
import { businessHours } from './business-hours.js'
import { condition } from './condition.js'
import type { Decision } from './decision.js'
import { setVariable } from './set-variable.js'
import { split } from './split.js'

const start: Decision = (_params, state) => ({ outcome: otherwise, state, details: {} })

/** Nodes of all other types do something with the call, or ask somebody. */
export const decisions: ReadonlyMap<string, Decision> = new Map([
  [startType, start],
  ['condition', condition],
  ['business_hours', businessHours],
  ['set_variable', setVariable],
  ['split', split],
])
