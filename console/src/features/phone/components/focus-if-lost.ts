import { type RefObject, useEffect, useRef } from 'react'

/** Focuses the replacement of the pressed button, unless something else has the focus. */
export function useFocusIfLost<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null)
  useEffect(() => {
    if (document.activeElement === document.body) ref.current?.focus({ preventScroll: true })
  }, [])
  return ref
}
