/** The table of nodes in the documentation, held against the types there are. */
import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { nodeTypes } from '../../src/features/call-flows/nodes/index.js'
import type { NodeType } from '../../src/features/call-flows/nodes/flow-node.js'
import { pathOf } from '../support/paths.js'

const page = pathOf('docs/calls/flows.md')

/** Texts in backquotes. */
const codes = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!)

describe('docs/calls/flows.md', () => {
  it('names every type of node with its parameters and outcomes', async () => {
    const [, nodes = ''] = (await readFile(page, 'utf8')).split(/^## .*$/m)
    const rows = nodes
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|').slice(1, 4) as [string, string, string])
    const told = new Map(
      rows.flatMap(([types, ...cells]) => codes(types).map((type) => [type, cells] as const)),
    )
    expect([...told.keys()].sort()).to.deep.equal([...nodeTypes.keys()].sort())
    for (const [type, definition] of nodeTypes) {
      const [params, outcomes] = told.get(type)!
      expect(codes(params), type).to.include.members(Object.keys(propertiesOf(definition)))
      expect(outcomesTold(outcomes), type).to.have.members(outcomesOf(definition))
    }
  })
})

function propertiesOf({ params }: NodeType): object {
  return (params as unknown as { properties: object }).properties
}

/** Those that do not depend on the parameters. */
function outcomesOf(definition: NodeType): string[] {
  const outcomes = definition.type === 'split' ? [] : definition.outcomes({})
  return outcomes.filter((outcome) => outcome !== 'default')
}

function outcomesTold(cell: string): string[] {
  const digits = cell.includes('`0` to `9`') ? ['1', '2', '3', '4', '5', '6', '7', '8'] : []
  return [...codes(cell), ...digits]
}
