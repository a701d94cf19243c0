/** Every type of step that the API has can be made, and edited in all that it takes and in all its outcomes. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { runnerImport } from 'vite'
import { describedNodes } from '../../../../server/dist/src/features/call-flows/nodes/described.js'
import { nodeTypes } from '../../../../server/dist/src/features/call-flows/nodes/index.js'
import { ConsoleBench } from '../support/console-bench.js'
import { FlowEditor } from '../support/flow-editor.js'
import { type Schema, placesIn, sampleOf } from '../support/schemas.js'

/** Two ways of saying the same: the editor has one field for both. */
const sameAs: Readonly<Record<string, string>> = {
  ...{ 'to.number': 'phone_number', 'from.number': 'from', client: 'sub' },
}

/** Kinds of fields that show `field_<name>` as their label; the others have texts of their own. */
const plain = ['number', 'flag', 'choice', 'line', 'text', 'url', 'reference']

/** What else is there, and is no value of its own. */
const switches = ['queue']

interface Field {
  kind: string
  name: string
  editor?: string
  fields?: Field[]
  values?: (string | number)[]
  min?: number
  max?: number
  byDefault?: unknown
  required?: boolean
}

interface StepKinds {
  learnKinds: (types: readonly object[]) => void
  kindOf: (type: string) => { fields: Field[]; outcomes: string[] } | undefined
  offeredKinds: () => { type: string }[]
}

interface Editors {
  editorOf: (name: string) => object | undefined
}

/** A file of the flow editor. */
const editorFile = (path: string) =>
  fileURLToPath(new URL(`../../../src/features/flows/${path}`, import.meta.url))

const moduleOf = async <Module>(path: string) =>
  (await runnerImport<Module>(editorFile(path), { logLevel: 'error', configFile: false })).module

/** Those of groups, too. */
const allFields = (fields: readonly Field[]): Field[] =>
  fields.flatMap((field) => [field, ...allFields(field.fields ?? [])])

describe('types of steps in the flow editor', () => {
  let bench: ConsoleBench
  let kinds: StepKinds
  before(async () => {
    kinds = await moduleOf<StepKinds>('model/step-kinds.ts')
    kinds.learnKinds(describedNodes)
    bench = await ConsoleBench.start()
  })
  after(async () => bench.stop())

  it('should be those of the API', () => {
    const known = [...nodeTypes.keys()].filter((type) => type !== 'start')
    expect(kinds.offeredKinds().map(({ type }) => type)).to.deep.equal(known)
  })

  it('should have words for themselves, their fields and their outcomes', async () => {
    // That other languages have the same is held by locales.test.ts.
    const english = await readFile(editorFile('locales/en.json'), 'utf8')
    const known = new Set(Object.keys((JSON.parse(english) as { steps: object }).steps))
    const lacking: string[] = []
    for (const { type } of kinds.offeredKinds()) {
      const { fields = [], outcomes = [] } = kinds.kindOf(type) ?? {}
      // Keys stand for themselves; so do the branches of a split, which are not among these.
      const named = outcomes.filter((one) => !/^[0-9*#]$/.test(one))
      const pathOf = ({ name }: Field) => name.replaceAll('.', '_')
      const wanted = [
        [`type_${type}`],
        [`typeHint_${type}`],
        ...allFields(fields)
          .filter(({ kind }) => plain.includes(kind))
          .map((field) => [`field_${type}_${pathOf(field)}`, `field_${pathOf(field)}`]),
        ...fields
          .filter(({ kind }) => kind === 'group')
          .map((field) => [`switch_${type}_${pathOf(field)}`, `switch_${pathOf(field)}`]),
        ...named.map((outcome) => [`outcome_${type}_${outcome}`, `outcome_${outcome}`]),
      ]
      for (const keys of wanted) {
        if (!keys.some((key) => known.has(key))) lacking.push(keys.at(-1)!)
      }
    }
    expect(lacking, 'texts of locales/en.json, steps').to.deep.equal([])
  })

  it('should have all editors that the API names', async () => {
    const { editorOf } = await moduleOf<Editors>('model/editors.ts')
    const named = kinds
      .offeredKinds()
      .flatMap(({ type }) => kinds.kindOf(type)!.fields.flatMap(({ editor }) => editor ?? []))
    expect(named).to.include('prompt')
    expect(named.filter((name) => editorOf(name) === undefined)).to.deep.equal([])
  })

  for (const [type, { params }] of nodeTypes) {
    it(`should have the choices and limits that the API has: ${type}`, () => {
      const schema = params as Schema & { required?: string[] }
      for (const field of kinds.kindOf(type)?.fields ?? []) {
        const own = schema.properties?.[field.name]
        if (!own) continue
        if (field.kind === 'choice') expect(field.values).to.have.members(own.enum!)
        if (field.kind === 'number') {
          expect(field.min, field.name).to.equal(own.minimum)
          if (own.maximum !== undefined) expect(field.max, field.name).to.equal(own.maximum)
        }
        const [, usual] = /(\S+) by default/.exec(own.description ?? '') ?? []
        if (usual && 'byDefault' in field && !own.description?.includes('one by default')) {
          expect(String(field.byDefault), field.name).to.equal(usual)
        }
        if (field.required) expect(schema.required ?? [], field.name).to.include(field.name)
      }
    })
  }

  it('should be edited in all that they take', async () => {
    const editor = await FlowEditor.of(bench, [{ id: 'start', type: 'start' }], { view: 'list' })
    const { page, settings } = editor
    const shown = async () =>
      settings
        .locator('[data-path]')
        .evaluateAll((fields) => fields.map((field) => field.getAttribute('data-path') ?? ''))
    for (const [type, node] of nodeTypes) {
      if (type === 'start') continue
      const sample = sampleOf(node.params) as Record<string, unknown>
      await editor.paste(JSON.stringify({ type, params: sample }))
      await page.waitForFunction(
        (id) => document.querySelector<HTMLInputElement>('[data-path="id"]')?.value === id,
        type,
      )
      const found = new Set(await shown())
      const other = settings.getByRole('radio', { name: 'A text' })
      if (type === 'menu') {
        await other.press('Space')
        await settings.getByLabel('Text to speak').waitFor()
        for (const place of await shown()) found.add(place)
      }
      const expected = [
        ...placesIn(node.params)
          .filter((place) => place !== '')
          .map((place) => sameAs[place] ?? place),
        ...node.outcomes(sample).map((outcome) => `next.${outcome}`),
        ...[
          'id',
          ...switches.filter((name) => name in sample),
          ...['headers', 'webhook_headers'].flatMap((name) => (name in sample ? [`${name}.X-Name`] : [])),
        ],
      ]
      const hint = `${type}: an array needs an editor of its own (docs/contribute/recipes.md)`
      expect([...found].sort(), hint).to.deep.equal([...new Set(expected)].sort())
    }
  })
})
