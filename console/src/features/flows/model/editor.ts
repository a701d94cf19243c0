/** Edits of a flow, and undo. Independent of the browser. */
import { placedBeside } from './layout'
import { endsCall, kindOf } from './step-kinds'
import { type Params, type Step, freeId, otherwise, startType } from './steps'
import { type Keys, keysOf, renamedKey } from './keys'

/** Length of the undo history. */
const maxHistory = 100

export interface EditorState {
  steps: readonly Step[]
  past: readonly (readonly Step[])[]
  future: readonly (readonly Step[])[]
  /** The step whose settings are shown. */
  selected: string | null
  /** The saved state. */
  saved: readonly Step[]
  /** Path of the last edit: consecutive edits of one field, or moves of one step, are one undo step. */
  typedAt: string | null
  /** Stable keys of the steps, which may be renamed. */
  keys: Keys
}

/** An outcome of a step to which a step is connected. */
export interface Outlet {
  from: string
  outcome: string
}

export type Edit =
  | { do: 'add'; type: string; after: Outlet | null; position?: { x: number; y: number } | undefined }
  | { do: 'connect'; at: Outlet; to: string | null }
  /** @param next the edges, if outcomes were renamed */
  | { do: 'params'; id: string; field: string; params: Params; next?: Step['next'] | undefined }
  | { do: 'rename'; id: string; to: string }
  | { do: 'remove'; ids: readonly string[] }
  | { do: 'duplicate'; id: string }
  | { do: 'paste'; step: Pick<Step, 'type' | 'params'> }
  /** @param byKeys moved by arrow keys */
  | { do: 'move'; positions: ReadonlyMap<string, { x: number; y: number }>; byKeys?: string | undefined }
  | { do: 'tidy' }
  | { do: 'replace'; steps: readonly Step[] }
  /** The steps are those that are stored, as when the editor was opened. */
  | { do: 'begin'; steps: readonly Step[] }
  | { do: 'select'; id: string | null }
  | { do: 'undo' }
  | { do: 'redo' }
  | { do: 'saved'; steps: readonly Step[] }

export function beginning(steps: readonly Step[]): EditorState {
  return { steps, past: [], future: [], selected: null, saved: steps, typedAt: null, keys: keysOf(steps) }
}

/** Whether there are unsaved changes. */
export function isChanged({ steps, saved }: EditorState): boolean {
  return steps !== saved && JSON.stringify(steps) !== JSON.stringify(saved)
}

export function edited(state: EditorState, edit: Edit): EditorState {
  const after = afterwards(state, edit)
  return after.steps === state.steps ? after : { ...after, keys: keysOf(after.steps, after.keys) }
}

function afterwards(state: EditorState, edit: Edit): EditorState {
  const { steps } = state
  switch (edit.do) {
    case 'select':
      return state.selected === edit.id ? state : { ...state, selected: edit.id, typedAt: null }
    case 'undo':
      return back(state)
    case 'redo':
      return forth(state)
    case 'saved':
      return { ...state, saved: edit.steps, typedAt: null }
    case 'add':
      return added(state, edit)
    case 'connect':
      return changed(
        state,
        steps.map((step) => (step.id === edit.at.from ? connected(step, edit) : step)),
      )
    case 'params':
      return changed(
        state,
        steps.map((step) =>
          step.id === edit.id ? { ...step, params: edit.params, next: edit.next ?? step.next } : step,
        ),
        edit.field === '' ? null : `${edit.id} ${edit.field}`,
      )
    case 'rename':
      return renamed(state, edit.id, edit.to)
    case 'remove':
      return removed(state, edit.ids)
    case 'duplicate':
      return duplicated(state, edit.id)
    case 'paste':
      return pasted(state, edit.step)
    case 'move':
      return changed(
        state,
        steps.map((step) => {
          const position = edit.positions.get(step.id)
          return position ? { ...step, position: rounded(position) } : step
        }),
        edit.byKeys === undefined ? null : `move ${edit.byKeys}`,
      )
    case 'tidy':
      return changed(
        state,
        steps.map(({ position: _before, ...step }) => step),
      )
    case 'begin':
      return beginning(edit.steps)
    case 'replace':
      return { ...changed(state, edit.steps), selected: null }
  }
}

/** @param typedAt the edit is one undo step with the previous one of the same path; null: never */
function changed(state: EditorState, steps: readonly Step[], typedAt: string | null = null): EditorState {
  const goesOn = typedAt !== null && typedAt === state.typedAt
  const past = goesOn ? state.past : [...state.past, state.steps].slice(-maxHistory)
  return { ...state, steps, past, future: [], typedAt }
}

function back(state: EditorState): EditorState {
  const steps = state.past.at(-1)
  if (!steps) return state
  const future = [state.steps, ...state.future]
  return stillSelected({ ...state, steps, past: state.past.slice(0, -1), future, typedAt: null })
}

function forth(state: EditorState): EditorState {
  const [steps, ...future] = state.future
  if (!steps) return state
  return stillSelected({ ...state, steps, past: [...state.past, state.steps], future, typedAt: null })
}

function stillSelected(state: EditorState): EditorState {
  return state.steps.some(({ id }) => id === state.selected) ? state : { ...state, selected: null }
}

/** The previous target is connected behind the new step, if that has outcomes. */
function added(state: EditorState, { type, after, position }: Extract<Edit, { do: 'add' }>): EditorState {
  const { steps } = state
  const id = freeId(steps, type)
  const before = steps.find((step) => step.id === after?.from)
  const follows = after && before?.next[after.outcome]
  const goesOn = follows !== undefined && follows !== null && !endsCall(type)
  const made: Step = {
    ...{ id, type, params: kindOf(type)?.initial ?? {}, next: goesOn ? { [otherwise]: follows } : {} },
  }
  const step = position
    ? { ...made, position: rounded(position) }
    : placedBeside(made, steps, after?.from ?? null)
  const others = steps.map((one) => (one === before && after ? connected(one, { at: after, to: id }) : one))
  // Behind the step that it follows: a flow that is read as JSON stands in a sensible order.
  const index = before ? steps.indexOf(before) + 1 : steps.length
  return { ...changed(state, others.toSpliced(index, 0, step)), selected: id }
}

function connected(step: Step, { at: { outcome }, to }: { at: Outlet; to: string | null }): Step {
  const { [outcome]: _before, ...others } = step.next
  return { ...step, next: to === null ? others : { ...step.next, [outcome]: to } }
}

function renamed(state: EditorState, id: string, to: string): EditorState {
  if (to === id || to === '' || state.steps.some((step) => step.id === to)) return state
  const steps = state.steps.map((step) => ({
    ...step,
    id: step.id === id ? to : step.id,
    next: Object.fromEntries(
      Object.entries(step.next).map(([outcome, target]) => [outcome, target === id ? to : target]),
    ),
  }))
  const selected = state.selected === id ? to : state.selected
  return { ...changed(state, steps), selected, keys: renamedKey(state.keys, id, to) }
}

/** The start stays: a flow has one. Edges that led to what is removed lead nowhere. */
function removed(state: EditorState, ids: readonly string[]): EditorState {
  const gone = new Set(
    state.steps.filter(({ id, type }) => ids.includes(id) && type !== startType).map(({ id }) => id),
  )
  if (gone.size === 0) return state
  const steps = state.steps
    .filter(({ id }) => !gone.has(id))
    .map((step) => ({
      ...step,
      next: Object.fromEntries(Object.entries(step.next).filter(([, target]) => !gone.has(target))),
    }))
  return stillSelected(changed(state, steps))
}

function duplicated(state: EditorState, id: string): EditorState {
  const { steps } = state
  const index = steps.findIndex((step) => step.id === id)
  const step = steps[index]
  if (!step || step.type === startType) return state
  const copy: Step = {
    ...step,
    id: freeId(steps, step.type),
    ...(step.position && { position: { x: step.position.x + 40, y: step.position.y + 40 } }),
  }
  return { ...changed(state, steps.toSpliced(index + 1, 0, copy)), selected: copy.id }
}

/** From another flow perhaps: what it led to there is nothing here. It stands behind the step that is chosen. */
function pasted(state: EditorState, { type, params }: Pick<Step, 'type' | 'params'>): EditorState {
  const { steps, selected } = state
  const step: Step = { id: freeId(steps, type), type, params, next: {} }
  const index = steps.findIndex(({ id }) => id === selected)
  const at = index < 0 ? steps.length : index + 1
  return { ...changed(state, steps.toSpliced(at, 0, placedBeside(step, steps, selected))), selected: step.id }
}

function rounded({ x, y }: { x: number; y: number }) {
  return { x: Math.round(x), y: Math.round(y) }
}
