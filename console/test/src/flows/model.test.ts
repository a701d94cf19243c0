/** What the editor does to a flow, without a browser. */
import { expect } from 'chai'
import { modelOf } from '../support/models.js'

interface Step {
  id: string
  type: string
  params: Record<string, unknown>
  next: Record<string, string>
  position?: { x: number; y: number }
}

interface State {
  steps: Step[]
  past: Step[][]
  selected: string | null
  keys: Map<string, string>
}

type Edit = { do: string } & Record<string, unknown>

interface Editor {
  beginning: (steps: Step[]) => State
  edited: (state: State, edit: Edit) => State
}

interface Differences {
  differencesOf: (before: Step[], now: Step[]) => object
}

interface PanelModel {
  firstPanels: object
  panelsAfter: (panels: object, change: object) => object
}

interface Layout {
  cardWidth: number
  placesOf: (steps: Step[]) => Map<string, { x: number; y: number }>
  heightOf: (step: Step) => number
}

const step = (id: string, type: string, next: Record<string, string> = {}, params = {}): Step => ({
  ...{ id, type, params, next },
})

describe('the model of the flow editor', () => {
  let editor: Editor
  before(async () => {
    editor = await modelOf<Editor>('editor')
  })

  const after = (steps: Step[], ...edits: Edit[]) =>
    edits.reduce((state, edit) => editor.edited(state, edit), editor.beginning(steps))
  const texted = (field: string, text: string): Edit => ({
    ...{ do: 'params', id: 'say', field, params: { text } },
  })
  const said = [step('start', 'start', { default: 'say' }), step('say', 'tts')]

  it('should undo what was typed in one field as one, and nothing else with it', () => {
    const undone = (...edits: Edit[]) => after(said, ...edits, { do: 'undo' }).steps[1]!.params
    expect(undone(texted('text', 'a'), texted('text', 'ab'))).to.deep.equal({})
    expect(undone(texted('text', 'a'), { do: 'saved', steps: [] }, texted('text', 'ab'))).to.deep.equal({
      text: 'a',
    })
    // Rows that are added, and removed, are in no field.
    expect(undone(texted('', 'a'), texted('', 'ab'))).to.deep.equal({ text: 'a' })
  })

  it('should undo the way of a step that arrow keys move as one', () => {
    const to = (x: number, byKeys?: string): Edit => ({
      ...{ do: 'move', positions: new Map([['say', { x, y: 0 }]]), byKeys },
    })
    const held = Array.from({ length: 150 }, (_, index) => to(index, 'say'))
    const moved = after(said, texted('text', 'a'), ...held)
    expect(moved.past).to.have.length(2)
    expect(after(said, to(5), to(10)).past, 'two drags').to.have.length(2)
  })

  it('should know a step by the same key when it has another name, and no two by one', () => {
    const renamed = after(said, { do: 'rename', id: 'say', to: 'hello' })
    expect(renamed.keys.get('hello')).to.equal('say')
    const added = editor.edited(renamed, { do: 'paste', step: { type: 'say', params: {} } })
    const keys = added.steps.map(({ id }) => added.keys.get(id))
    expect(new Set(keys).size).to.equal(3)
    expect(added.keys.get('hello')).to.equal('say')
  })

  it('should tell versions apart by what steps do, whatever they are called and however it is written', async () => {
    const { differencesOf } = await modelOf<Differences>('differences')
    const before = [
      step('start', 'start', { default: 'say' }),
      step('say', 'tts', { default: 'ring' }, { text: 'Hello', voice: { a: 1, b: 2 } }),
      step('ring', 'connect_team', {}, { team_id: 'one', timeout: 10 }),
      step('bye', 'hangup'),
    ]
    const now = [
      step('start', 'start', { default: 'hello' }),
      step('hello', 'tts', { default: 'ring' }, { voice: { b: 2, a: 1 }, text: 'Hello' }),
      step('ring', 'connect_team', { busy: 'box' }, { team_id: 'two', timeout: 10 }),
      step('box', 'voicemail'),
    ]
    expect(differencesOf(before, now)).to.deep.equal({
      added: ['box'],
      removed: ['bye'],
      changed: [
        { id: 'hello', was: 'say', places: [] },
        { id: 'ring', was: undefined, places: ['params.team_id', 'next.busy'] },
      ],
    })
    expect(differencesOf(now, now)).to.deep.equal({ added: [], removed: [], changed: [] })
  })

  it('should draw a long way so that the whole of it can be read', async () => {
    const { placesOf, heightOf, cardWidth } = await modelOf<Layout>('layout')
    const chain = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        step(
          `s${index}`,
          index === 0 ? 'start' : 'tts',
          index < count - 1 ? { default: `s${index + 1}` } : {},
        ),
      )
    const extentOf = (steps: Step[]) => {
      const places = placesOf(steps)
      const at = (id: string) => places.get(id)!
      return {
        width: Math.max(...steps.map(({ id }) => at(id).x + cardWidth)),
        height: Math.max(...steps.map((one) => at(one.id).y + heightOf(one))),
        places: new Set(steps.map(({ id }) => JSON.stringify(at(id)))).size,
      }
    }
    const long = extentOf(chain(60))
    expect(Math.min(860 / long.width, 560 / long.height), 'zoom that shows all').to.be.above(0.28)
    expect(long.places).to.equal(60)
    expect(extentOf(chain(6)).height, 'a short one is one row').to.equal(heightOf(chain(6)[1]!))
  })

  it('should show a step over the trial call, and go back to it', async () => {
    const { firstPanels, panelsAfter } = await modelOf<PanelModel>('panels')
    const shown = (...changes: object[]) => changes.reduce(panelsAfter, firstPanels)
    const trial = { do: 'toggle', panel: 'try' }
    const chosen = (step: string | null) => ({ do: 'selected', step })
    expect(shown(trial, chosen('menu'))).to.deep.equal({ shown: 'step', back: 'try' })
    // From one step to the next: the first is deselected before the second is selected.
    expect(shown(trial, chosen('menu'), chosen(null), chosen('say'))).to.deep.equal({
      ...{ shown: 'step', back: 'try' },
    })
    expect(shown(trial, chosen('menu'), { do: 'back' })).to.deep.equal({ shown: 'try', back: null })
    expect(shown(trial, trial)).to.deep.equal({ shown: 'step', back: null })
    expect(shown(chosen('menu'), chosen(null))).to.deep.equal({ shown: 'step', back: null })
  })
})
