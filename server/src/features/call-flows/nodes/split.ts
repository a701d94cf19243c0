import Type from 'typebox'
import { patterned } from '../../../infrastructure/http/shapes.js'
import { otherwise } from '../edges.js'
import { flowNode, nodeProblem } from './flow-node.js'

/** Branches at random. */
export const split = flowNode({
  type: 'split',
  group: 'decide',
  summary: 'Branches at random, by percentages',
  params: Type.Object({
    branches: Type.Array(
      Type.Object({
        outcome: { ...patterned('^[a-z0-9_]{1,32}$', 'up to 32 of a-z, 0-9 and _'), 'x-outcome': true },
        percent: Type.Integer({ minimum: 1, maximum: 99 }),
      }),
      { minItems: 2, maxItems: 20, description: 'Outcomes with their percentages, 100 together' },
    ),
  }),
  fields: { branches: { kind: 'branches' } },
  check(_workspace, { params: { branches } }) {
    const names = branches.map(({ outcome }) => outcome)
    const problems = names.flatMap((name, index) => {
      const field = `params.branches.${index}.outcome`
      if (name === otherwise) return [nodeProblem(field, `must not be ${otherwise}`)]
      return names.indexOf(name) < index ? [nodeProblem(field, 'occurs twice')] : []
    })
    const sum = branches.reduce((total, { percent }) => total + percent, 0)
    return sum === 100 ? problems : [...problems, nodeProblem('params.branches', 'must make up 100 percent')]
  },
  decide({ branches }, _state, { random }) {
    let left = random() * 100
    const taken = branches.find(({ percent }) => (left -= percent) < 0)
    return { outcome: taken?.outcome ?? otherwise, details: { percent: taken?.percent ?? 0 } }
  },
})
