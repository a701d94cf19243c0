/** Graphs of call flows: every way to be wrong, and random ones against a slow check of another make. */
import { expect } from 'chai'
import { type GraphNode, graphProblems } from '../../src/features/call-flows/graph.js'

type Next = Record<string, string>

/** `start`, `menu` (waits, has 1, 2 and default), `end` (no outcome) or a plain node with a, b and default. */
function node(id: string, next: Next = {}): GraphNode {
  const kind = id.replace(/\d*$/, '')
  const outcomes = kind === 'end' ? [] : kind === 'menu' ? ['1', '2', 'default'] : ['a', 'b', 'default']
  return { id, isStart: kind === 'start', waits: kind === 'menu', outcomes, next }
}

const fields = (nodes: GraphNode[]) => graphProblems(nodes).map(({ field }) => field)

describe('the graph of a call flow', () => {
  const sound: Record<string, GraphNode[]> = {
    'a start alone': [node('start')],
    'a line': [node('start', { default: 'x1' }), node('x1', { default: 'end' }), node('end')],
    'branches that meet': [
      node('start', { a: 'x1', b: 'x2' }),
      node('x1', { default: 'end' }),
      node('x2', { default: 'end' }),
      node('end'),
    ],
    'a loop through a menu': [
      node('start', { default: 'menu' }),
      node('menu', { 1: 'menu', 2: 'x' }),
      node('x', { a: 'menu' }),
    ],
    'a loop through a menu back to the start': [
      node('start', { default: 'menu' }),
      node('menu', { 1: 'start' }),
    ],
    'a start that is not the first': [node('end'), node('start', { default: 'end' })],
    'ids that objects have anyway': [
      node('start', { default: 'constructor' }),
      node('constructor', { default: 'toString' }),
      node('toString'),
    ],
  }
  for (const [name, nodes] of Object.entries(sound)) {
    it(`may be ${name}`, () => {
      expect(graphProblems(nodes)).to.deep.equal([])
    })
  }

  const unsound: Record<string, [GraphNode[], string[]]> = {
    'no start': [[node('x')], ['nodes']],
    'two starts': [
      [node('start'), node('x'), node('start2')],
      ['nodes.2.type', 'nodes.1'],
    ],
    'three starts': [
      [node('start'), node('start2'), node('start3')],
      ['nodes.1.type', 'nodes.2.type'],
    ],
    'an id twice': [[node('start', { a: 'x' }), node('x'), node('x')], ['nodes.2.id']],
    'an edge to nowhere': [[node('start', { a: 'x', b: 'y' }), node('x')], ['nodes.0.next.b']],
    'an edge to an inherited name': [[node('start', { a: '__proto__' })], ['nodes.0.next.a']],
    'an outcome that the node has not': [[node('start', { c: 'x' }), node('x')], ['nodes.0.next.c']],
    'an edge out of an end': [
      [node('start', { default: 'end' }), node('end', { default: 'x' }), node('x')],
      ['nodes.1.next.default'],
    ],
    'an unknown outcome to nowhere': [[node('start', { c: 'x' })], ['nodes.0.next.c', 'nodes.0.next.c']],
    'a node that nothing leads to': [[node('start'), node('x')], ['nodes.1']],
    'an island': [
      [node('start'), node('menu', { 1: 'x' }), node('x', { a: 'menu' })],
      ['nodes.1', 'nodes.2'],
    ],
    'a node that leads to itself': [[node('start', { a: 'x' }), node('x', { a: 'x' })], ['nodes.1.next.a']],
    'a loop of the start': [[node('start', { default: 'start' })], ['nodes.0.next.default']],
    'a loop of two': [
      [node('start', { a: 'x' }), node('x', { a: 'y' }), node('y', { b: 'x' })],
      ['nodes.2.next.b'],
    ],
    'two loops': [
      [
        node('start', { a: 'x1', b: 'x3' }),
        node('x1', { a: 'x2' }),
        node('x2', { a: 'x1' }),
        node('x3', { a: 'x4' }),
        node('x4', { b: 'x3' }),
      ],
      ['nodes.2.next.a', 'nodes.4.next.b'],
    ],
    'a loop beside one that waits': [
      [
        node('start', { default: 'menu' }),
        node('menu', { 1: 'x1' }),
        node('x1', { a: 'menu', b: 'x2' }),
        node('x2', { a: 'x1' }),
      ],
      ['nodes.3.next.a'],
    ],
    'a loop past a menu': [
      [
        node('start', { default: 'x' }),
        node('x', { a: 'menu', b: 'y' }),
        node('menu', { 1: 'y' }),
        node('y', { a: 'x' }),
      ],
      ['nodes.3.next.a'],
    ],
    'everything at once': [
      [
        node('start', { a: 'x', z: 'x', b: 'nowhere' }),
        node('start2'),
        node('x', { a: 'x' }),
        node('x'),
        node('alone'),
      ],
      ['nodes.1.type', 'nodes.3.id', 'nodes.0.next.z', 'nodes.0.next.b', 'nodes.4', 'nodes.2.next.a'],
    ],
  }
  for (const [name, [nodes, expected]] of Object.entries(unsound)) {
    it(`may not have ${name}`, () => {
      expect(fields(nodes)).to.deep.equal(expected)
    })
  }

  it('names the loop', () => {
    const [problem] = graphProblems([node('start', { a: 'x' }), node('x', { a: 'y' }), node('y', { b: 'x' })])
    expect(problem!.messages).to.deep.equal([
      'nodes.2.next.b closes a loop in which nothing waits for the caller: x → y → x',
    ])
  })

  it('takes the outcomes of broken nodes as they come', () => {
    const broken = { ...node('x', { anything: 'end' }), outcomes: null }
    expect(fields([node('start', { a: 'x' }), broken, node('end')])).to.deep.equal([])
  })

  it('agrees with a check by matrix on random graphs', () => {
    for (let seed = 1; seed <= 3_000; seed++) {
      const nodes = randomGraph(seed)
      const told = fields(nodes)
      const hint = `seed ${seed}: ${JSON.stringify(nodes)}`
      const expected = byMatrix(nodes)
      const unreached = told.filter((field) => /^nodes\.\d+$/.test(field))
      expect(unreached.sort(), hint).to.deep.equal(expected.unreached.sort())
      const loops = graphProblems(nodes).filter(({ messages }) => messages[0]!.includes('closes a loop'))
      const inLoops = new Set(loops.flatMap(({ messages }) => messages[0]!.split(': ')[1]!.split(' → ')))
      expect([...inLoops].sort(), hint).to.deep.equal(expected.looping.sort())
      for (const { messages } of loops) expectLoop(nodes, messages[0]!.split(': ')[1]!.split(' → '))
      expect(told.length === 0, hint).to.equal(expected.unreached.length + expected.looping.length === 0)
    }
  })

  it('is checked in a moment, however it is drawn', () => {
    const outcomes = Array.from({ length: 40 }, (_, index) => `o${index}`)
    const dense = Array.from({ length: 200 }, (_, index): GraphNode => {
      const next = Object.fromEntries(outcomes.map((name, o) => [name, `n${(index * 7 + o * 13) % 200}`]))
      return { id: `n${index}`, isStart: index === 0, waits: false, outcomes, next }
    })
    const started = performance.now()
    expect(graphProblems(dense).length).to.be.greaterThan(0)
    expect(performance.now() - started).to.be.below(500)
  })
})

/** A path in which each node follows the one before and none waits. */
function expectLoop(nodes: GraphNode[], path: string[]): void {
  expect(path[0]).to.equal(path.at(-1))
  for (const [index, id] of path.slice(1).entries()) {
    const before = nodes.find((one) => one.id === path[index])!
    expect(before.waits).to.equal(false)
    expect(Object.values(before.next)).to.include(id)
  }
}

/** One start, up to nine others, edges at random. */
function randomGraph(seed: number): GraphNode[] {
  let state = seed * 2_654_435_761
  const random = (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0
    return (state >>> 8) % below
  }
  const ids = [
    'start',
    ...Array.from({ length: random(10) }, (_, i) => `${random(4) === 0 ? 'menu' : 'x'}${i}`),
  ]
  return ids.map((id) => {
    const names = node(id).outcomes!
    const next = names.filter(() => random(5) < 2).map((name) => [name, ids[random(ids.length)]!])
    return node(id, Object.fromEntries(next) as Next)
  })
}

/** Which nodes cannot be reached and which lie on a loop without waiting: by the closure of a matrix. */
function byMatrix(nodes: GraphNode[]): { unreached: string[]; looping: string[] } {
  const indexOf = new Map(nodes.map(({ id }, index) => [id, index]))
  const closure = (edge: (from: GraphNode, to: GraphNode) => boolean) => {
    const reach = nodes.map((from) =>
      nodes.map(
        (to) =>
          edge(from, to) && Object.values(from.next).some((id) => indexOf.get(id) === indexOf.get(to.id)),
      ),
    )
    for (const k of nodes.keys())
      for (const i of nodes.keys())
        for (const j of nodes.keys()) reach[i]![j] ||= reach[i]![k]! && reach[k]![j]!
    return reach
  }
  const all = closure(() => true)
  const unwaiting = closure((from, to) => !from.waits && !to.waits)
  return {
    unreached: nodes.flatMap(({ isStart }, i) => (isStart || all[0]![i] ? [] : [`nodes.${i}`])),
    looping: nodes.flatMap(({ id }, i) => (unwaiting[i]![i] ? [id] : [])),
  }
}
