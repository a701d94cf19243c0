import { type RefObject, useEffect, useRef } from 'react'

/** For what takes the place of the button that was pressed, which had the focus: it gets it, unless something else has. */
export function useFocusIfLost<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null)
  useEffect(() => {
    if (document.activeElement === document.body) ref.current?.focus({ preventScroll: true })
  }, [])
  return ref
}
