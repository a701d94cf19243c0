/** A write-only secret: replaced, removed, or left as it is. */
import { Checkbox, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../i18n/texts'
import { PasswordField } from './password-field'
import { designTexts } from './texts'

const texts = designTexts.keptSecret

interface KeptSecretFieldProps {
  label: string
  description?: string
  required?: boolean
  /** Whether the server has one. */
  isKept: boolean
  /** '' leaves the stored one, null removes it. */
  value: string | null
  onChange: (value: string | null) => void
  error?: ReactNode
}

export function KeptSecretField({
  isKept,
  value,
  onChange,
  description,
  required = false,
  ...props
}: KeptSecretFieldProps) {
  const t = useTexts(texts)
  const hint = isKept ? t('keeps') : description
  return (
    <Stack gap={6}>
      <PasswordField
        {...props}
        required={required && !isKept}
        {...(hint && { description: hint })}
        autoComplete="new-password"
        disabled={value === null}
        value={value ?? ''}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {isKept && !required && (
        <Checkbox
          size="xs"
          label={`${t('remove')}: ${props.label}`}
          checked={value === null}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : '')}
        />
      )}
    </Stack>
  )
}
