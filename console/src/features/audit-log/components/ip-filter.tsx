import { CloseButton, TextInput } from '@mantine/core'
import { useState } from 'react'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { auditLogTexts } from '../texts'

interface IpFilterProps {
  value: string | undefined
  onChange: (ip: string | undefined) => void
}

/** The API parses any spelling of an address; obviously invalid input is not sent. */
const looksLikeAddress = (text: string) => /^(\d{1,3}(\.\d{1,3}){3}|[\da-f:.]*:[\da-f:.]*)$/i.test(text)

/** Filters by source address, on blur or Enter. */
export function IpFilter({ value = '', onChange }: IpFilterProps) {
  const [t, words] = [useTexts(auditLogTexts), useTexts(common)]
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  const [isWrong, setWrong] = useState(false)
  // The browser's Back button, or a link in the details, changes the URL, too.
  if (value !== known) {
    setKnown(value)
    setText(value)
    setWrong(false)
  }
  const apply = (next: string) => {
    const ip = next.trim()
    setText(ip)
    const isRight = ip === '' || looksLikeAddress(ip)
    setWrong(!isRight)
    if (isRight && ip !== value) onChange(ip || undefined)
  }
  return (
    <TextInput
      label={t('ip')}
      placeholder={t('all')}
      value={text}
      maxLength={64}
      error={isWrong && t('ipInvalid')}
      rightSection={text && <CloseButton size="sm" aria-label={words('clear')} onClick={() => apply('')} />}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={() => apply(text)}
      onKeyDown={({ key }) => key === 'Enter' && apply(text)}
      w={180}
    />
  )
}
