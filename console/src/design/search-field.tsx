/** A search field that searches while one types, and follows the URL. */
import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type CSSProperties, useState } from 'react'
import { common } from '../i18n/common'
import { useTexts } from '../i18n/texts'

interface SearchFieldProps {
  label: string
  /** The search text in the URL. */
  value: string
  /** `undefined` when the search is cleared. */
  onSearch: (value: string | undefined) => void
  /** Its place among others; by itself it shares a row. */
  style?: CSSProperties
}

const inRow: CSSProperties = { flex: '1 1 220px', maxWidth: 360 }

export function SearchField({ label, value, onSearch, style = inRow }: SearchFieldProps) {
  const t = useTexts(common)
  const [text, setText] = useState(value)
  const [sent, setSent] = useState(value)
  const [known, setKnown] = useState(value)
  const send = useDebouncedCallback((next: string) => {
    setSent(next)
    onSearch(next || undefined)
  }, 250)
  // The browser's Back button changes the URL, too; text being typed stays.
  if (value !== known) {
    setKnown(value)
    if (value !== sent) {
      setText(value)
      setSent(value)
    }
  }
  const change = (next: string) => {
    setText(next)
    send(next)
  }
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} />}
      rightSection={text && <CloseButton size="sm" aria-label={t('clear')} onClick={() => change('')} />}
      value={text}
      maxLength={100}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      style={style}
    />
  )
}
