/** How a person has folded the menu; kept in this browser, for each person. */

export interface MenuState {
  /** Only icons are shown. */
  isRail: boolean
  /** Sections whose entries are hidden. */
  folded: readonly string[]
}

const unfolded: MenuState = { isRail: false, folded: [] }

const keyOf = (person: string | null) => `jackfield.menu.${person ?? ''}`

/** What was stored, whatever it is: an old or foreign value folds nothing. */
export function menuStateOf(stored: string | null): MenuState {
  try {
    const { isRail, folded } = JSON.parse(stored ?? '{}') as Partial<Record<keyof MenuState, unknown>>
    return {
      isRail: isRail === true,
      folded: Array.isArray(folded) ? folded.filter((one) => typeof one === 'string') : [],
    }
  } catch {
    return unfolded
  }
}

export function storedMenu(person: string | null): MenuState {
  return menuStateOf(localStorage.getItem(keyOf(person)))
}

export function storeMenu(person: string | null, state: MenuState): void {
  localStorage.setItem(keyOf(person), JSON.stringify(state))
}

export function withFolded({ folded, ...state }: MenuState, section: string): MenuState {
  const isFolded = folded.includes(section)
  return { ...state, folded: isFolded ? folded.filter((one) => one !== section) : [...folded, section] }
}
