/** Every type of node that a flow may have can be run, and its form can be drawn from its description. */
import { expect } from 'chai'
import { describedNodes } from '../../src/features/call-flows/nodes/described.js'
import { nodeTypes } from '../../src/features/call-flows/nodes/index.js'
import type { FieldHint } from '../../src/infrastructure/http/shapes.js'
import { allActions } from '../../src/features/calls/script/actions/index.js'

interface Property {
  description?: string
  properties?: Record<string, Property>
  'x-field'?: FieldHint
}

/** All values of a schema, with their paths. */
function propertiesIn({ properties = {} }: Property, path = ''): [string, Property][] {
  return Object.entries(properties).flatMap(([name, property]) => [
    [`${path}${name}`, property] as [string, Property],
    ...propertiesIn(property, `${path}${name}.`),
  ])
}

describe('types of nodes', () => {
  it('decide, or run something, and never both', () => {
    const strange = [...nodeTypes.values()].filter(
      (type) => (type.decide === undefined) === (type.run === undefined),
    )
    expect(strange.map(({ type }) => type)).to.deep.equal([])
  })

  it('are named once, and have one for each call action', () => {
    expect(describedNodes.map(({ type }) => type)).to.deep.equal([...nodeTypes.keys()])
    expect([...nodeTypes.keys()]).to.include.members(allActions.map(({ name }) => name))
  })

  it('give hints for parameters that they have', () => {
    for (const { type, params, fields = {} } of nodeTypes.values()) {
      const { properties } = params as unknown as { properties: object }
      expect(Object.keys(properties), type).to.include.members(Object.keys(fields))
    }
  })

  it('say the same default to people and to forms', () => {
    for (const { type, params, group } of describedNodes) {
      for (const [path, { description = '', 'x-field': hint = {} }] of propertiesIn(params)) {
        if (hint.kind === 'none' || group === null) continue
        // Prose such as “the published one by default” is no value.
        const [, said] = /(?:^|; |, )`?([^\s`]+)`? (?:by default|\(default\))/.exec(description) ?? []
        const isFalse = said === 'false' && hint.default === undefined
        if (said !== undefined && !isFalse) expect(String(hint.default), `${type} ${path}`).to.equal(said)
        if (hint.default !== undefined) expect(description, `${type} ${path}`).to.include('default')
      }
    }
  })
})
