/** The title of the browser's tab: the call that rings; else how much waits for the user, and the page. */
import { useEffect } from 'react'

const product = 'Jackfield'

const tab = { page: '', ringing: null as string | null, waiting: new Map<string, number>() }

function draw(): void {
  const waiting = [...tab.waiting.values()].reduce((sum, count) => sum + count, 0)
  const page = [tab.page, product].filter(Boolean).join(' · ')
  document.title = tab.ringing ?? (waiting > 0 ? `(${waiting}) ${page}` : page)
}

/** Says which page is open. */
export function usePageInTab(title: string): void {
  useEffect(() => {
    tab.page = title
    draw()
  }, [title])
}

/** Counts what waits. @param what one kind of it, such as `inbox` */
export function useWaitingInTab(what: string, count: number): void {
  useEffect(() => {
    tab.waiting.set(what, count)
    draw()
    return () => {
      tab.waiting.delete(what)
      draw()
    }
  }, [what, count])
}

/** Says that a call rings; null: none does. */
export function useRingingInTab(words: string | null): void {
  useEffect(() => {
    tab.ringing = words
    draw()
    return () => {
      tab.ringing = null
      draw()
    }
  }, [words])
}
