/** The boxes by which rows are chosen. They are the browser's own: a hundred components would take long to draw. */
import './row-box.css'
import type { ChangeEvent } from 'react'
import { useTexts } from '../i18n/texts'
import { designTexts } from './texts'

interface RowBoxProps {
  /** Human-readable name of the row. */
  name: string
  isChosen: boolean
  /** @param isRange with Shift */
  onClick: (isRange: boolean) => void
}

export function RowBox({ name, isChosen, onClick }: RowBoxProps) {
  const t = useTexts(designTexts.bulk)
  return (
    <input
      type="checkbox"
      className="jf-row-box"
      aria-label={t('choose', { name })}
      checked={isChosen}
      onChange={({ nativeEvent }: ChangeEvent) =>
        onClick('shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
      }
    />
  )
}

/** Of the whole page. */
export function PageBox({ state, onClick }: { state: 'none' | 'some' | 'all'; onClick: () => void }) {
  const t = useTexts(designTexts.bulk)
  return (
    <input
      type="checkbox"
      className="jf-row-box"
      aria-label={t('choosePage')}
      checked={state === 'all'}
      ref={(box) => {
        if (box) box.indeterminate = state === 'some'
      }}
      onChange={onClick}
    />
  )
}
