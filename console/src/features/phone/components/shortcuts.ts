/** Keyboard shortcuts of the phone, on every page: with Alt and Shift, so that they do not interfere with typing. */
import { useEffect, useEffectEvent } from 'react'

const codes = { answer: 'KeyA', hangUp: 'KeyH', mute: 'KeyM', hold: 'KeyP' } as const

export type Shortcut = keyof typeof codes

/** The keys of a shortcut, as people and assistive technology read them. */
export function keysOf(shortcut: Shortcut): string {
  return `Alt+Shift+${codes[shortcut].slice(-1)}`
}

export function usePhoneShortcuts(pressed: (shortcut: Shortcut) => void): void {
  const onShortcut = useEffectEvent(pressed)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!event.altKey || !event.shiftKey || event.ctrlKey || event.metaKey || event.repeat) return
      const found = (Object.keys(codes) as Shortcut[]).find((one) => codes[one] === event.code)
      if (!found) return
      event.preventDefault()
      onShortcut(found)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
