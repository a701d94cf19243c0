/** Microphone and speakers that the user chose for the phone; stored in the browser. */
import { useSyncExternalStore } from 'react'

export interface SoundChoice {
  /** The browser's default if not set. */
  readonly microphoneId?: string
  readonly speakerId?: string
}

const storageKey = 'jackfield.sound'

function read(): SoundChoice {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    return typeof kept === 'object' && kept !== null ? kept : {}
  } catch {
    return {}
  }
}

let current = read()
const listeners = new Set<() => void>()

export function soundChoice(): SoundChoice {
  return current
}

export function chooseSound(choice: SoundChoice): void {
  current = choice
  localStorage.setItem(storageKey, JSON.stringify(choice))
  for (const listener of listeners) listener()
}

export function useSoundChoice(): SoundChoice {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, soundChoice)
}
