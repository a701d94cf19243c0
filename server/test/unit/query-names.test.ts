/** Queries as HTTP clients write them: a filter that is not known is refused, never left out. */
import { expect } from 'chai'
import Type from 'typebox'
import { ValidationError } from '../../src/infrastructure/http/errors.js'
import { queryReader } from '../../src/infrastructure/http/text-parameters.js'

const read = queryReader({
  query: Type.Object({
    status: Type.Optional(Type.Enum(['sent', 'failed'])),
    page: Type.Optional(Type.Integer()),
    tags: Type.Optional(Type.Array(Type.String())),
  }),
  isList: true,
})

const refused = (query: Record<string, unknown>) => {
  try {
    read(query)
  } catch (error) {
    if (error instanceof ValidationError) return error.errors.map(({ field }) => field)
    throw error
  }
  return null
}

describe('names in queries', () => {
  it('are refused where nothing knows them: of lists, in capitals, mistyped', () => {
    for (const name of [
      'status[]',
      'status[0]',
      'status.0',
      'stauts',
      'Status',
      'status ',
      'tags[]',
      '__proto__',
    ])
      expect(refused({ [name]: 'sent' }), name).to.deep.equal([name])
    expect(() => read({ 'status[]': 'sent' })).to.throw('did you mean status?')
  })

  it('stand once, unless the filter takes several', () => {
    expect(refused({ status: ['sent', 'failed'] })).to.deep.equal(['status'])
    expect(refused({ page: ['1', '2'] })).to.deep.equal(['page'])
    expect(read({ tags: ['a', 'b'] })).to.deep.equal({ tags: ['a', 'b'] })
    expect(read({ tags: 'a', status: 'sent' })).to.deep.equal({ tags: ['a'], status: 'sent' })
  })
})
