/** Wraps everything: focuses the page's heading after each navigation, so that a screen reader starts there. */
import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

export function Frame() {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const last = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (last.current !== undefined && last.current !== path && !document.querySelector('[role="dialog"]')) {
      requestAnimationFrame(() => {
        const target =
          document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
        target?.focus({ preventScroll: true })
      })
    }
    last.current = path
  }, [path])
  return <Outlet />
}
