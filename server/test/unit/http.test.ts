/** The parts of http/ that need no server. */
import { expect } from 'chai'
import Type from 'typebox'
import { sameSecret, siteOf } from '../../src/infrastructure/http/access.js'
import { RateLimitError, ValidationError } from '../../src/infrastructure/http/errors.js'
import { listAnswer } from '../../src/infrastructure/http/lists.js'
import { RateLimits } from '../../src/infrastructure/http/rate-limits.js'
import { nullable, patterned } from '../../src/infrastructure/http/shapes.js'
import { bodyValidator } from '../../src/infrastructure/http/validation.js'

describe('rate limits with a clock of ours', () => {
  const tiers = { default: 3, heavy: 1, sms: 1, auth: 1 }
  let now = 0
  let limits: RateLimits
  beforeEach(() => {
    now = 1_000 * 60_000
    limits = new RateLimits(tiers, () => now)
  })

  it('count down, refuse, and begin anew each minute', () => {
    expect([1, 2, 3].map(() => limits.count('default', 'a').remaining)).to.deep.equal([2, 1, 0])
    now += 59_001
    const refusal = catchError(() => limits.count('default', 'a'))
    expect(refusal).to.be.instanceOf(RateLimitError)
    expect((refusal as RateLimitError).body()).to.include({ statusCode: 429, retryAfter: 1 })
    now += 999
    expect(limits.count('default', 'a')).to.deep.equal({ limit: 3, remaining: 2 })
  })

  it('tell the seconds that are left, never none', () => {
    limits.count('heavy', 'a')
    expect((catchError(() => limits.count('heavy', 'a')) as RateLimitError).retryAfter).to.equal(60)
    now += 59_999
    expect((catchError(() => limits.count('heavy', 'a')) as RateLimitError).retryAfter).to.equal(1)
  })

  it('count each identity and each tier for itself', () => {
    limits.count('heavy', 'a')
    expect(limits.count('heavy', 'b').remaining).to.equal(0)
    expect(limits.count('default', 'a').remaining).to.equal(2)
  })

  it('keep a bounded number of counters', () => {
    const many = new RateLimits({ ...tiers, default: 10 }, () => now)
    for (let index = 0; index < 100_000; index++) many.count('default', `identity ${index}`)
    for (let index = 0; index < 10; index++) many.count('default', 'late')
    expect(catchError(() => many.count('default', 'late'))).to.be.instanceOf(RateLimitError)
    // Those that come later share buckets with few others, not one with all of them.
    expect(many.count('default', 'latest').remaining).to.equal(9)
    let refused = 0
    for (let index = 0; index < 100_000; index++) {
      try {
        many.count('default', `later ${index}`)
      } catch {
        refused += 1
      }
    }
    expect(refused).to.be.within(1, 5_000)
    expect(many.count('default', 'identity 0').remaining).to.equal(8)
  })
})

describe('validation', () => {
  const check = bodyValidator(
    Type.Object({
      title: Type.String({ minLength: 2 }),
      kind: Type.Optional(Type.Enum(['a', 'b'])),
      code: Type.Optional(patterned('^x$', 'an x')),
      amount: Type.Optional(Type.Number({ 'x-decimals': 6 })),
      note: Type.Optional(nullable(Type.String())),
      rows: Type.Optional(Type.Array(Type.Object({ 'a/b': Type.Integer() }))),
      port: Type.Optional(Type.Integer({ default: 5060 })),
      open: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
  )

  it('says in words what is wrong with each field, by dotted path', () => {
    const rows = [{ 'a/b': 1 }, { 'a/b': 'x', extra: 1 }, {}]
    const error = catchError(() =>
      check({ title: 'x', kind: 'c', code: 'y', amount: 'much', note: 1, rows, more: true }),
    ) as ValidationError
    const messages = Object.fromEntries(error.errors.map((one) => [one.field, one.messages[0]]))
    expect(messages).to.deep.equal({
      more: 'more is not a known field',
      title: 'title must NOT have fewer than 2 characters',
      kind: 'kind must be one of a, b',
      code: 'code must be an x',
      amount: 'amount must be of type number',
      note: 'note must be of type string or null',
      'rows.1.extra': 'rows.1.extra is not a known field',
      'rows.1.a/b': 'rows.1.a/b must be of type integer',
      'rows.2.a/b': 'rows.2.a/b is required',
    })
    expect(error.body().message).to.equal(error.errors[0]?.messages[0])
  })

  it('takes what is right, with its defaults', () => {
    const body = { title: 'ok', note: null, amount: 0.1, open: { anything: [1] } }
    check(body)
    expect(body).to.deep.equal({ ...body, port: 5060 })
  })

  it('names a body that is no object', () => {
    for (const body of [null, [], 'x', 1]) {
      const error = catchError(() => check(body)) as ValidationError
      expect(error.errors).to.deep.equal([{ field: '', messages: ['the body must be of type object'] }])
    }
  })

  it('reports a bounded number of problems', () => {
    const body = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field${index}`, 1]))
    expect((catchError(() => check(body)) as ValidationError).errors).to.have.length(50)
  })
})

describe('lists', () => {
  it('tell how many pages there are', () => {
    const pages = (total: number) =>
      listAnswer({ page: 1, limit: 10 }, { rows: [], total }, String).meta.total_pages
    expect([0, 1, 10, 11, 100].map(pages)).to.deep.equal([0, 1, 1, 2, 10])
  })
})

describe('hosts of requests', () => {
  it('name the operator, a workspace or nobody', () => {
    const site = (host: string) => siteOf(host, 'pbx.example')
    expect(site('admin.pbx.example:8080')).to.deep.equal({ kind: 'operator' })
    expect(site('ACME.PBX.example')).to.deep.equal({ kind: 'workspace', id: 'acme' })
    for (const host of [
      '',
      'pbx.example',
      '.pbx.example',
      'a.b.pbx.example',
      'acmepbx.example',
      '127.0.0.1:80',
      'é.pbx.example',
    ]) {
      expect(site(host), host).to.deep.equal({ kind: 'none' })
    }
  })

  it('and secrets are compared whatever their lengths', () => {
    expect(sameSecret('abc', 'abc')).to.equal(true)
    for (const other of ['', 'ab', 'abd', 'abcd']) expect(sameSecret(other, 'abc')).to.equal(false)
  })
})

function catchError(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
