/** The editor over the whole window, without the menu and the header. */
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { useEffect } from 'react'

export function useFullScreen() {
  const [isFull, { toggle, close }] = useDisclosure()
  useHotkeys([['alt+shift+F', toggle]], [])
  useEffect(() => {
    if (!isFull) return undefined
    const leave = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      if (key !== 'Escape' || defaultPrevented) return
      // Escape closes dialogs and lists first, and leads from the panel back to the step.
      if (target instanceof Element && target.closest('.nokey')) return
      if (document.querySelector('[role="dialog"]')) return
      close()
    }
    window.addEventListener('keydown', leave)
    return () => window.removeEventListener('keydown', leave)
  }, [isFull, close])
  return { isFull, toggle }
}
