/** What is looked at in a body, a query and a path, and at what cost. */
import { expect } from 'chai'
import Type from 'typebox'
import { ValidationError } from '../../src/infrastructure/http/errors.js'
import { listQuery } from '../../src/infrastructure/http/lists.js'
import { nullable } from '../../src/infrastructure/http/shapes.js'
import { queryReader, textReader } from '../../src/infrastructure/http/text-parameters.js'
import { type Validator, bodyValidator } from '../../src/infrastructure/http/validation.js'

describe('validation of large bodies', () => {
  const days = Type.Array(Type.Enum(['mon', 'tue']), { maxItems: 7, uniqueItems: true })
  const check = bodyValidator(
    Type.Object({
      days: Type.Optional(days),
      events: Type.Optional(Type.Array(Type.Enum(['a', 'b']), { uniqueItems: true })),
      rows: Type.Optional(Type.Array(Type.Object({ name: Type.String(), size: Type.Integer() }))),
      few: Type.Optional(Type.Array(Type.Object({ a: Type.Integer() }), { maxItems: 100 })),
      title: Type.Optional(Type.String({ maxLength: 36, pattern: '^[a-z]*$' })),
      names: Type.Optional(Type.Record(Type.String(), Type.Integer(), { maxProperties: 10 })),
    }),
  )
  const many = (make: (index: number) => unknown) => Array.from({ length: 40_000 }, (_, index) => make(index))
  const named = (index: number) => [`field${index}`, index] as const

  it('stops at the size that is broken', () => {
    const list = many((a) => ({ a }))
    expect(problemsOf(check, { days: list })).to.deep.equal({
      days: ['days must NOT have more than 7 items'],
    })
    expect(problemsOf(check, { few: list, days: list })).to.deep.equal({
      few: ['few must NOT have more than 100 items'],
    })
    expect(problemsOf(check, { title: '!'.repeat(500_000) })).to.deep.equal({
      title: ['title must NOT have more than 36 characters'],
    })
    expect(problemsOf(check, { names: Object.fromEntries(many(named) as [string, number][]) })).to.deep.equal(
      {
        names: ['names must NOT have more than 10 properties'],
      },
    )
  })

  it('names fifty of the fields that it does not know', () => {
    const problems = problemsOf(check, Object.fromEntries(many(named) as [string, number][]))
    expect(Object.keys(problems)).to.have.length(50)
    expect(problems['field0']).to.deep.equal(['field0 is not a known field'])
  })

  it('tells the first problem of a long list that no size rule bounds', () => {
    expect(problemsOf(check, { rows: many(() => ({ name: 1 })) })).to.deep.equal({
      'rows.0.size': ['rows.0.size is required'],
    })
    check({ rows: many((size) => ({ name: 'x', size })) })
  })

  it('tells all problems of a small body, broken sizes among them', () => {
    expect(problemsOf(check, { title: '!'.repeat(37), days: Array(8).fill('mon'), more: 1 })).to.deep.equal({
      more: ['more is not a known field'],
      title: ['title must NOT have more than 36 characters', 'title must be of the form ^[a-z]*$'],
      days: ['days must NOT have more than 7 items', 'days must NOT have duplicate items'],
    })
  })

  it('counts characters, not their halves', () => {
    check({ title: 'a'.repeat(36) })
    const smile = bodyValidator(Type.String({ maxLength: 3 }))
    smile('😀😀😀')
    expect(() => smile('😀😀😀😀')).to.throw(ValidationError)
  })

  it('blocks for a time that grows with the size and not with its square', () => {
    const bodies: ((length: number) => unknown)[] = [
      (length) => ({ events: Array.from({ length }, (_, a) => ({ a })) }),
      (length) => ({ events: Array.from({ length }, (_, a) => a) }),
      (length) => ({ rows: Array.from({ length }, (_, a) => ({ a })) }),
      (length) => Object.fromEntries(Array.from({ length }, (_, index) => named(index))),
      (length) => ({ names: Object.fromEntries(Array.from({ length }, (_, index) => named(index))) }),
    ]
    for (const [index, body] of bodies.entries()) {
      const [small, large] = [20_000, 80_000].map((length) =>
        leastTime(() => problemsOf(check, body(length))),
      )
      // Comparing all pairs of 80,000 takes seconds; what takes some milliseconds has noise of as many.
      expect(large! / Math.max(small!, 10), `body ${index}: ${small} and ${large} ms`).to.be.below(10)
    }
  })

  it('finds items that are the same, whatever their kind', () => {
    const unique = bodyValidator(Type.Array(Type.Unknown(), { uniqueItems: true }))
    unique([1, '1', true, 'true', null, 'null', [], {}, [1], ['1'], { a: 1 }, { a: '1' }, { b: 1 }])
    for (const twice of [
      [1, 1],
      ['a', 'b', 'a'],
      [null, null],
      [[1], [1]],
      [
        { a: 1, b: [] },
        { b: [], a: 1 },
      ],
    ]) {
      expect(() => unique(twice), JSON.stringify(twice)).to.throw('must NOT have duplicate items')
    }
  })
})

describe('null in a body', () => {
  const check = bodyValidator(
    Type.Object({
      title: Type.String(),
      note: Type.Optional(nullable(Type.String())),
      kind: Type.Optional(Type.Enum(['a', 'b'])),
      port: Type.Integer({ default: 5060 }),
      any: Type.Optional(Type.Unknown()),
      either: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
      party: Type.Optional(Type.Object({ number: Type.String(), name: Type.Optional(Type.String()) })),
      rows: Type.Optional(Type.Array(Type.Object({ size: Type.Optional(Type.Integer()) }))),
    }),
  )

  it('counts as left out where it has no meaning, at any depth', () => {
    const body = {
      title: 'x',
      kind: null,
      port: null,
      party: { number: '1', name: null },
      rows: [{ size: null }],
    }
    check(body)
    expect(body).to.deep.equal({ title: 'x', port: 5060, party: { number: '1' }, rows: [{}] })
    const other = { title: 'x', party: null, rows: null }
    check(other)
    expect(other).to.deep.equal({ title: 'x', port: 5060 })
  })

  it('stays where the schema takes it', () => {
    const body = { title: 'x', note: null, any: null, either: null, port: 1 }
    check(body)
    expect(body).to.deep.equal({ title: 'x', note: null, any: null, either: null, port: 1 })
  })

  it('is no value for what is required, and none in a list', () => {
    expect(problemsOf(check, { title: null })).to.deep.equal({ title: ['title is required'] })
    expect(problemsOf(check, { title: 'x', rows: [null] })).to.deep.equal({
      'rows.0': ['rows.0 must be of type object'],
    })
  })
})

describe('texts of paths and queries', () => {
  it('become what the schema asks for', () => {
    const read = textReader(
      Type.Object({ page: Type.Integer(), rate: Type.Number(), open: Type.Boolean(), search: Type.String() }),
    )
    const sent = { page: '3', rate: '-0.5', open: 'true', search: '7' }
    expect(read(sent)).to.deep.equal({ page: 3, rate: -0.5, open: true, search: '7' })
    for (const text of ['Infinity', '-Infinity', '1e309', 'NaN', '0x10', '1e1', '', ' 1', '9'.repeat(400)]) {
      for (const name of ['page', 'rate', 'open']) {
        expect(() => read({ ...sent, [name]: text }), `${name}=${text}`).to.throw(`${name} must be of type`)
      }
    }
    expect(() => read({ ...sent, page: ['1', '2'] })).to.throw('page must be of type integer')
  })

  it('of a query have known names', () => {
    const query = Type.Object({
      ...listQuery({ limit: 20, sort: ['created_at'] }).properties,
      status: Type.Optional(Type.Enum(['sent'])),
    })
    const read = queryReader({ query, isList: true })
    const preset = { page: 1, limit: 20, sort_field: 'created_at', sort_order: 'desc' }
    expect(read({ page: '3', order: 'asc', status: 'sent' })).to.deep.equal({
      ...preset,
      ...{ page: 3, sort_order: 'asc', status: 'sent' },
    })
    expect(() => read({ stauts: 'sent' })).to.throw(
      'stauts is not a known query parameter: did you mean status?',
    )
    expect(() => read({ from: 'x' })).to.throw(/^from is not a known query parameter$/)
  })

  it('of a list may be those of any list', () => {
    const read = queryReader({ query: Type.Object({ page: Type.Integer({ default: 1 }) }), isList: true })
    const general = { page: '2', limit: '10', search: 'x', sort: 'title', order: 'asc' }
    expect(read({ ...general, sort_field: 'title', sort_order: 'asc' })).to.deep.equal({ page: 2 })
    expect(() => queryReader({ isList: false })({ page: '1' })).to.throw(
      'page is not a known query parameter',
    )
  })
})

function problemsOf(check: Validator, body: unknown): Record<string, string[]> {
  try {
    check(body)
    return {}
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    return Object.fromEntries(error.errors.map(({ field, messages }) => [field, messages]))
  }
}

/** Milliseconds of processor time, of several turns the least. */
function leastTime(work: () => unknown): number {
  return Math.min(
    ...[1, 2, 3].map(() => {
      const before = process.cpuUsage()
      work()
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1_000
    }),
  )
}
