/** The keys of every page: `g` and a letter go to a page, `j` and `k` through a list, `?` lists all. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { NavigationItem } from '../navigation-item'

/** Letters after `g`. A path may have another one for another role's page. */
export const letters: Readonly<Record<string, readonly string[]>> = {
  p: ['/phone'],
  i: ['/inbox'],
  m: ['/missed'],
  v: ['/voicemails'],
  h: ['/history'],
  l: ['/live'],
  c: ['/calls'],
  n: ['/numbers'],
  a: ['/agents'],
  t: ['/teams', '/own-teams'],
  f: ['/flows'],
  k: ['/contacts'],
  w: ['/workspaces', '/webhooks'],
  u: ['/usage'],
}

/** The second key must come within this time. */
const sequenceMs = 1_500

/** The page of a letter, of those that the person may open. */
export function pageOfLetter(letter: string, items: readonly NavigationItem[]): NavigationItem | undefined {
  return letters[letter]?.flatMap((path) => items.find((item) => item.path === path) ?? [])[0]
}

/** Keys are typed text where something takes it. */
function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null
  )
}

/** @param onKeys shows the list of keys */
export function useKeys(items: readonly NavigationItem[], onKeys: () => void): void {
  const navigate = useNavigate()
  const begunAt = useRef(-Infinity)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
    const key = event.key.toLowerCase()
    const follows = event.timeStamp - begunAt.current < sequenceMs
    begunAt.current = -Infinity
    if (follows) {
      const page = pageOfLetter(key, items)
      if (!page) return
      event.preventDefault()
      void navigate({ to: page.path })
    } else if (key === 'g') begunAt.current = event.timeStamp
    else if (event.key === '?') {
      event.preventDefault()
      onKeys()
    } else if (key === 'j' || key === 'k') step(key === 'j' ? 1 : -1)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

/** Moves the focus to the first link of the next row, or of the one before, of the page's list. */
function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main tbody tr')]
  const links = rows.flatMap((row) => row.querySelector<HTMLElement>('a[href], button') ?? [])
  const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement))
  links[at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by]?.focus()
}
