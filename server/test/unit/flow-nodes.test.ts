/** Every type of node that a flow may have can be run. */
import { expect } from 'chai'
import { decisions } from '../../src/call-flows/decisions/index.js'
import { nodeTypes } from '../../src/call-flows/nodes/index.js'
import { runAction } from '../../src/call-flows/runners/action-runner.js'
import { nodeRunners } from '../../src/call-flows/runners/index.js'
import { findAction } from '../../src/calls/actions/index.js'

describe('types of nodes', () => {
  it('are decisions, have a runner, or run the call action of their name', () => {
    const runnerOf = nodeRunners({} as Parameters<typeof nodeRunners>[0])
    const isRun = (type: string) =>
      decisions.has(type) || runnerOf(type) !== runAction || findAction(type) !== undefined
    expect([...nodeTypes.keys()].filter((type) => !isRun(type))).to.deep.equal([])
  })
})
