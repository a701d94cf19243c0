import { useEffect } from 'react'

/**
 * Gives the focus back to the button that opened a dialog, when the dialog is taken off the page while it is open.
 * One that is closed first does so itself.
 */
export function useFocusBack(opened: boolean): void {
  useEffect(() => {
    if (!opened) return
    const before = document.activeElement
    return () => {
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus()
    }
  }, [opened])
}
