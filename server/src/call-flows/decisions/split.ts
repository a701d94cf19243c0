import type { SplitParams } from '../nodes/decisions.js'
import { otherwise } from '../nodes/node-type.js'
import { decision } from './decision.js'

export const split = decision<SplitParams>(({ branches }, state, { random }) => {
  let left = random() * 100
  const taken = branches.find(({ percent }) => (left -= percent) < 0)
  return { outcome: taken?.outcome ?? otherwise, state, details: { percent: taken?.percent ?? 0 } }
})
