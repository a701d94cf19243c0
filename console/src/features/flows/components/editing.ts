/** State shared by the parts of the editor. */
import { type RefObject, createContext, useContext } from 'react'
import { causeInWords } from '../../../api/call-words/causes'
import { useTexts } from '../../../i18n/texts'
import type { Edit, EditorState, Outlet } from '../model/editor'
import type { FlowCheck, Problem } from '../model/problems'
import { idOfKey } from '../model/keys'
import { editorOf } from '../model/editors'
import { kindOf } from '../model/step-kinds'
import { type Step, otherwise } from '../model/steps'
import { stepTexts } from '../texts'

export interface Editing {
  state: EditorState
  edit: (edit: Edit) => void
  problems: readonly Problem[]
  /** Whether what is missing is an error: publishing was tried. */
  isStrict: boolean
  /** Names of the objects that steps refer to, by the steps' ids. */
  names: FlowCheck['names']
  /** Path of the last trial call: ids of steps, and of edges as {@link edgeId}. */
  tried: ReadonlySet<string>
  /** Asks for the type of a new step, and adds it. */
  addStep: (after: Outlet | null, position?: { x: number; y: number }) => void
  /** The step that gets the focus when it is rendered. */
  arriving: RefObject<string | null>
}

export const EditingContext = createContext<Editing | null>(null)

export function useEditing(): Editing {
  const editing = useContext(EditingContext)
  if (!editing) throw new Error('there is no editor around this')
  return editing
}

/** Id of an outcome's edge. */
export function edgeId({ from, outcome }: Outlet): string {
  return `${from} ${outcome}`
}

/** Keys of the drawing's steps: ids may change while the user points at a step. */
export function useStepKeys() {
  const { keys, steps } = useEditing().state
  return {
    keyOf: (id: string) => keys.get(id) ?? id,
    idOf: (key: string) => idOfKey(keys, steps, key),
  }
}

/** Labels of types and outcomes, looked up by data. */
export function useStepWords() {
  const t = useTexts(stepTexts)
  const known = stepTexts.en as Readonly<Record<string, string>>
  const word = (key: string, otherwise: string) =>
    key in known ? t(key as Parameters<typeof t>[0]) : otherwise
  const about = (what: string, path: string, type: string) => {
    const name = path.replaceAll('.', '_')
    return word(`${what}_${type}_${name}`, word(`${what}_${name}`, ''))
  }
  return {
    typeName: (type: string) => word(`type_${type}`, type),
    typeHint: (type: string) => word(`typeHint_${type}`, ''),
    /** Keys and the branches of a split are their own labels. */
    outcomeName: (outcome: string, type?: string) =>
      /^[0-9*#]$/.test(outcome)
        ? t('nextKey', { key: outcome })
        : type !== undefined && isNamedByParams(type, outcome)
          ? outcome
          : outcome === otherwise && isOnlyWay(type)
            ? t('outcome_then')
            : word(`outcome_${type}_${outcome}`, word(`outcome_${outcome}`, outcome)),
    /** @param path in the parameters of a type of step, which may have words of its own: `field_<type>_<path>` */
    fieldName: (path: string, type = '') => about('field', path, type) || path,
    fieldHint: (path: string, type: string) => about('hint', path, type) || undefined,
    /** What turns a group of settings on. */
    switchName: (path: string, type: string) => about('switch', path, type) || path,
    choiceName: (field: string, value: string) =>
      field === 'cause' ? causeInWords(value) : word(`${field}_${value}`, value),
  }
}

/** Whether a type of step has one outcome only. */
function isOnlyWay(type: string | undefined): boolean {
  const kind = type === undefined ? undefined : kindOf(type)
  return kind !== undefined && kind.outcomes.length === 1 && !kind.namedOutcomes
}

/** Whether an outcome was named by the person who made the step. */
function isNamedByParams(type: string, outcome: string): boolean {
  const kind = kindOf(type)
  return kind?.namedOutcomes !== undefined && !kind.outcomes.includes(outcome)
}

/** Summary of a step in one line, with the workspace's names; '' where there is none. */
export function summaryOf(
  step: Step,
  names: Readonly<Record<string, string>> = {},
  choiceName: (field: string, value: string) => string = (_field, value) => value,
): string {
  const [first] = kindOf(step.type)?.fields ?? []
  if (!first) return ''
  if (first.kind === 'reference') return names[first.name] ?? ''
  const summary = first.kind === 'editor' ? editorOf(first.editor)?.summary : undefined
  if (summary) return summary(step.params, names)
  const value = step.params[first.name]
  if (first.kind === 'choice') return typeof value === 'string' ? choiceName(first.name, value) : ''
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
