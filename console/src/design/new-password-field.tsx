/** A field for another user's new password: visible, with a generator. */
import { ActionIcon, TextInput, type TextInputProps, Tooltip } from '@mantine/core'
import { IconDice5 } from '@tabler/icons-react'
import { useTexts } from '../i18n/texts'
import { designTexts } from './texts'

const texts = designTexts.newPassword

/** Without characters that look alike. */
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

const length = 16

/** 16 letters and digits: about 93 bits. */
export function randomPassword(): string {
  const most = 256 - (256 % letters.length)
  let made = ''
  while (made.length < length) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1))
    // Rejection sampling: a remainder would favour the first characters.
    if (byte < most) made += letters.charAt(byte % letters.length)
  }
  return made
}

type NewPasswordFieldProps = Omit<TextInputProps, 'onChange' | 'value'> & {
  value?: string
  onChange: (value: string) => void
}

export function NewPasswordField({ onChange, ...props }: NewPasswordFieldProps) {
  const t = useTexts(texts)
  return (
    <TextInput
      {...props}
      autoComplete="new-password"
      spellCheck={false}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      rightSection={
        <Tooltip label={t('make')}>
          <ActionIcon variant="subtle" aria-label={t('make')} onClick={() => onChange(randomPassword())}>
            <IconDice5 size={18} />
          </ActionIcon>
        </Tooltip>
      }
    />
  )
}
