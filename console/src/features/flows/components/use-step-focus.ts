/** Keeps the keyboard focus when steps are added or removed. */
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { EditorState } from '../model/editor'
import { type Step, startType } from '../model/steps'
import { useEditing, useStepKeys } from './editing'

/** The element of a step in the drawing or the list, by its key. */
function shownStep(key: string): HTMLElement | null {
  return document.querySelector(`.react-flow__node[data-id="${key}"], [data-step="${key}"]`)
}

/** A new step gets the focus; after a removal its neighbour does. @returns the step that gets the focus once it is rendered */
export function useStepFocus(state: EditorState): RefObject<string | null> {
  const arriving = useRef<string | null>(null)
  const last = useRef(state)
  useLayoutEffect(() => {
    const before = last.current
    last.current = state
    if (before.steps === state.steps) return
    const keyOf = (id: string) => state.keys.get(id) ?? id
    const keysIn = ({ steps, keys }: EditorState) => new Set(steps.map(({ id }) => keys.get(id) ?? id))
    const [earlier, now] = [keysIn(before), keysIn(state)]
    if (state.selected !== null && !earlier.has(keyOf(state.selected))) {
      arriving.current = keyOf(state.selected)
      return
    }
    const gone = [...earlier].filter((key) => !now.has(key))
    if (gone.length === 0 || !isFocusLost(gone)) return
    const neighbour = neighbourOf(gone, before, state.steps)
    if (neighbour) shownStep(keyOf(neighbour.id))?.focus()
  }, [state])
  return arriving
}

/** Focuses a step that has just been added, once it is rendered. */
export function useArrival(step: Step, focus: () => void): void {
  const { arriving } = useEditing()
  const { keyOf } = useStepKeys()
  const key = keyOf(step.id)
  useEffect(() => {
    if (arriving.current !== key) return
    arriving.current = null
    focus()
    // Only once.
  }, [key])
}

/** Whether the focus is on a removed element, or will be lost when the drawing updates. */
function isFocusLost(gone: readonly string[]): boolean {
  const active = document.activeElement
  return active === null || active === document.body || gone.some((key) => shownStep(key)?.contains(active))
}

/** The step that led to the first of the removed ones; else the start. */
function neighbourOf(gone: readonly string[], before: EditorState, left: readonly Step[]): Step | undefined {
  const first = before.steps.find(({ id }) => before.keys.get(id) === gone[0])?.id ?? ''
  const led = before.steps.filter(({ next }) => Object.values(next).includes(first)).map(({ id }) => id)
  return left.find(({ id }) => led.includes(id)) ?? left.find(({ type }) => type === startType)
}
