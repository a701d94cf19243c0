/** Which panel is shown beside the steps. */

export type Panel = 'step' | 'try' | 'versions' | 'problems'

export interface Panels {
  shown: Panel
  /** The panel to return to from a step's settings; null: none. */
  back: Exclude<Panel, 'step'> | null
}

export const firstPanels: Panels = { shown: 'step', back: null }

export type PanelChange =
  /** A step was selected, or with null none is any more. */
  | { do: 'selected'; step: string | null }
  /** A button of the toolbar: the second press closes the panel. */
  | { do: 'toggle'; panel: Panel }
  | { do: 'open'; panel: Panel }
  | { do: 'back' }

/** A selected step shows its settings over any other panel, which stays one click away. */
export function panelsAfter(panels: Panels, change: PanelChange): Panels {
  const { shown, back } = panels
  switch (change.do) {
    case 'selected':
      if (change.step !== null) return shown === 'step' ? panels : { shown: 'step', back: shown }
      return shown === 'step' && back ? { shown: back, back: null } : panels
    case 'toggle':
      return { shown: change.panel === shown ? 'step' : change.panel, back: null }
    case 'open':
      return { shown: change.panel, back: null }
    case 'back':
      return back ? { shown: back, back: null } : panels
  }
}
