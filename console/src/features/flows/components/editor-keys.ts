/** Keyboard shortcuts of the editor; text fields keep their own undo and clipboard. */
import { useHotkeys } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'
import { flushSync } from 'react-dom'
import type { Edit, EditorState } from '../model/editor'
import { stepOfText, textOfStep } from '../model/clipboard'

interface EditorKeys {
  state: EditorState
  edit: (edit: Edit) => void
  save: () => void
}

const withoutText = new Set(['button', 'checkbox', 'radio', 'range'])

/** Whether a text field has the focus, or something lies over the editor. */
function isElsewhere({ target }: Event): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('[role="dialog"], [role="alertdialog"]')) return true
  if (target instanceof HTMLInputElement) return !withoutText.has(target.type)
  return target instanceof HTMLTextAreaElement || target.isContentEditable
}

/** Whether a dialog is open; the drawer beside the drawing is a part of the editor. */
function isUnderDialog(): boolean {
  return document.querySelector('[role="dialog"][aria-modal="true"]:not(.nokey, .nokey *)') !== null
}

export function useEditorKeys({ state, edit, save }: EditorKeys): void {
  const unless = (run: () => void) => (event: KeyboardEvent) => {
    if (isElsewhere(event)) return
    event.preventDefault()
    run()
  }
  const undo = unless(() => edit({ do: 'undo' }))
  const redo = unless(() => edit({ do: 'redo' }))
  const duplicate = unless(() => {
    if (state.selected !== null) edit({ do: 'duplicate', id: state.selected })
  })
  const own = { preventDefault: false }
  useHotkeys(
    [
      ['mod+Z', undo, own],
      ['mod+shift+Z', redo, own],
      ['mod+Y', redo, own],
      ['mod+D', duplicate, own],
    ],
    [],
  )
  const saveNow = useEffectEvent(save)
  useHotkeys(
    [
      [
        'mod+S',
        () => {
          if (isUnderDialog()) return
          // Names are applied on blur: blur first, so that a changed name is saved, too.
          const typedIn = document.activeElement
          if (typedIn instanceof HTMLElement) flushSync(() => typedIn.blur())
          if (typedIn instanceof HTMLElement && typedIn.isConnected) typedIn.focus()
          saveNow()
        },
      ],
    ],
    [],
  )
  useClipboard({ state, edit })
}

/** A step is copied as JSON in the API's format: into this flow, another one, or a program. */
function useClipboard({ state, edit }: Pick<EditorKeys, 'state' | 'edit'>): void {
  const copy = useEffectEvent((event: ClipboardEvent) => {
    const step = state.steps.find(({ id }) => id === state.selected)
    if (!step || isElsewhere(event) || document.getSelection()?.isCollapsed === false) return
    event.clipboardData?.setData('text/plain', textOfStep(step))
    event.preventDefault()
  })
  const paste = useEffectEvent((event: ClipboardEvent) => {
    if (isElsewhere(event)) return
    const step = stepOfText(event.clipboardData?.getData('text/plain') ?? '')
    if (!step) return
    edit({ do: 'paste', step })
    event.preventDefault()
  })
  useEffect(() => {
    const onCopy = (event: ClipboardEvent) => copy(event)
    const onPaste = (event: ClipboardEvent) => paste(event)
    document.addEventListener('copy', onCopy)
    document.addEventListener('paste', onPaste)
    return () => {
      document.removeEventListener('copy', onCopy)
      document.removeEventListener('paste', onPaste)
    }
  }, [])
}
