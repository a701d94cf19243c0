import { expect } from 'chai'
import Type, { type TSchema } from 'typebox'
import { type CarrierForm, describedKind } from '../../src/adapters/sms/carrier-form.js'
import { carrierKind } from '../../src/adapters/sms/carrier-kind.js'
import { carrierKinds } from '../../src/adapters/sms/kinds/index.js'
import { nullable } from '../../src/infrastructure/http/shapes.js'

const propertiesOf = (schema: TSchema) =>
  Object.keys((schema as { properties?: Record<string, unknown> }).properties ?? {})

function toy(form: Partial<CarrierForm> = {}) {
  const pair = Type.Object({ left: Type.String(), right: Type.Array(Type.String()) })
  return carrierKind({
    kind: 'toy',
    settings: Type.Object(
      {
        host: Type.String({ minLength: 1 }),
        size: nullable(Type.Integer({ default: null })),
        level: Type.Enum(['low', 'high'], { default: 'low' }),
        both: Type.Object({ left: Type.String({ default: 'l' }), right: Type.String({ default: '' }) }),
        pair: nullable(Type.Unsafe<object | null>({ ...pair, default: null })),
        key: Type.String({ default: '' }),
      },
      { title: 'ToySettings' },
    ),
    secrets: ['key'],
    check: ({ host }) => (host === 'nowhere' ? [{ field: 'host', problem: 'must exist' }] : []),
    connect: () => {
      throw new Error('no link')
    },
    form: { first: ['host'], sections: [], flags: {}, ...form },
  })
}

describe('A kind of SMS carrier', () => {
  for (const { kind, input, shown, secrets, form } of carrierKinds) {
    it(`has each setting once in its form: ${kind}`, () => {
      const { sections, first } = describedKind({ kind, input, secrets, form })
      const paths = sections.flatMap(({ fields }) => fields.map(({ path }) => path))
      expect(new Set(paths).size).to.equal(paths.length)
      expect([...new Set(paths.map((path) => path.split('.')[0]))]).to.have.members(propertiesOf(input))
      expect(paths).to.include.members([...first])
      expect(propertiesOf(shown)).to.not.include.members([...secrets])
    })
  }

  it('shows all but its secrets, and lets an object of defaults be left out', () => {
    const { shown, input, defaults } = toy()
    expect(shown).to.deep.include({ title: 'ToySettings' })
    expect(propertiesOf(shown)).to.eql(['host', 'size', 'level', 'both', 'pair'])
    expect(defaults).to.eql({ size: null, level: 'low', pair: null })
    expect(input).to.have.nested.property('properties.both.default').that.eql({})
    expect(shown).not.to.have.nested.property('properties.both.default')
  })

  it('checks what its schema cannot say', () => {
    const urls = { brokenRule: () => undefined }
    const problem = { field: 'host', problem: 'must exist' }
    expect(toy().problems({ host: 'nowhere' }, urls)).to.eql([problem])
    expect(toy().problems({ host: 'here' }, urls)).to.eql([])
  })

  it('has inputs by its schema, unless its form names others', () => {
    const fields = [
      ...['host', 'size', { name: 'level', words: { low: 'lowLevel' } }, 'both.left', 'pair.right'],
      { name: 'pair.left', label: 'first', hint: 'why', editor: 'text' as const },
      'key',
    ]
    const flags = { host: 'where', level: 'how', key: 'who' }
    const described = describedKind(toy({ sections: [{ title: 'all', fields }], flags }))
    expect(described.optional).to.eql(['pair'])
    expect(described.sections[0]?.fields).to.eql([
      { path: 'host', label: 'host', type: 'line', required: true },
      { path: 'size', label: 'size', type: 'number', nullable: true, numeric: true, preset: null },
      {
        ...{ path: 'level', label: 'level', type: 'choice', preset: 'low' },
        choices: [
          { value: 'low', label: 'lowLevel' },
          { value: 'high', label: 'high' },
        ],
      },
      { path: 'both.left', label: 'left', type: 'line', required: true },
      { path: 'pair.right', label: 'right', type: 'tags' },
      { path: 'pair.left', label: 'first', hint: 'why', type: 'text' },
      { path: 'key', label: 'key', type: 'secret', preset: '' },
    ])
    expect(described.flags).to.eql([
      { name: 'host', help: 'where', type: 'line', values: [], required: true },
      { name: 'level', help: 'how', type: 'choice', values: ['low', 'high'], required: false },
      { name: 'key', help: 'who', type: 'secret', values: [], required: false },
    ])
  })

  it('cannot show what is no setting', () => {
    const form = { sections: [{ title: 'all', fields: ['both.middle'] }] }
    expect(() => describedKind(toy(form))).to.throw('both.middle is no setting')
  })
})
