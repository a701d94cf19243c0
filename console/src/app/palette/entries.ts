/** What the palette offers: things to go to, and things to do. */
import type { Icon } from '@tabler/icons-react'

export const groups = [
  ...(['recent', 'actions', 'pages', 'people', 'teams', 'extensions', 'contacts', 'numbers'] as const),
  ...(['flows', 'calls', 'workspaces', 'settings'] as const),
] as const

export type Group = (typeof groups)[number]

export interface Entry {
  /** Unique, and the same on every visit. */
  key: string
  group: Group
  label: string
  /** What tells it from others of its name. */
  hint?: string
  icon: Icon
  /** Also found by these words. */
  words?: string
  /** It is shown with its hint, and cannot be chosen. */
  isRefused?: boolean
  run: () => void
}

/** Entries of a group shown at most, beside others. */
const mostOfGroup = 8
export const mostRecent = 5

/** Entries in their groups, in the order of {@link groups}; those of one group stay in theirs. */
export function grouped(entries: readonly Entry[]): { group: Group; entries: Entry[] }[] {
  return groups
    .map((group) => ({
      group,
      entries: entries.filter((entry) => entry.group === group).slice(0, mostOfGroup),
    }))
    .filter((one) => one.entries.length > 0)
}

/** Entries whose label or other words hold all words of the text; those whose label begins with it first. */
export function matching(entries: readonly Entry[], text: string): Entry[] {
  const words = folded(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...entries]
  const begins = ({ label }: Entry) => (folded(label).startsWith(words.join(' ')) ? 0 : 1)
  return entries
    .filter(({ label, words: others = '' }) => {
      const all = folded(`${label} ${others}`)
      return words.every((word) => all.includes(word))
    })
    .sort((one, other) => begins(one) - begins(other))
}

/** What was chosen last comes first, where it can still be found. */
export function withRecent(entries: readonly Entry[], recent: readonly string[]): Entry[] {
  const known = new Map(entries.map((entry) => [entry.key, entry]))
  const first = recent.flatMap((key): Entry[] => {
    const entry = known.get(key)
    return entry ? [{ ...entry, group: 'recent' }] : []
  })
  const shown = new Set(first.slice(0, mostRecent).map(({ key }) => key))
  return [...first.slice(0, mostRecent), ...entries.filter(({ key }) => !shown.has(key))]
}

/** Without case and accents. */
function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()
}
