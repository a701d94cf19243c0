import { Stack, Text } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useTexts } from '../../../i18n/texts'
import { phoneTexts } from '../texts'
import { Keypad } from './keypad'

/** DTMF keypad during a call, with the keys already sent. */
export function CallKeys({ onPress }: { onPress: (key: string) => void }) {
  const t = useTexts(phoneTexts)
  const [pressed, setPressed] = useState('')
  const press = (key: string) => {
    onPress(key)
    setPressed((before) => `${before}${key}`.slice(-24))
  }
  const typed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !/^[0-9*#]$/.test(event.key)) return
    event.preventDefault()
    press(event.key)
  }
  return (
    <Stack gap={6} onKeyDown={typed}>
      <Text size="sm" c="dimmed" aria-live="polite">
        {pressed || t('keypadHint')}
      </Text>
      <Keypad onPress={press} />
    </Stack>
  )
}
