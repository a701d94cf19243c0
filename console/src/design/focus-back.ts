import { useEffect } from 'react'

/**
 * Returns the focus to the button that opened a dialog, if the dialog is unmounted while it is open.
 * A dialog that is closed first does so itself.
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
