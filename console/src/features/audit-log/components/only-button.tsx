import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTexts } from '../../../i18n/texts'
import { auditLogTexts } from '../texts'

/** Shows that the entries are filtered to one object, and removes that filter. */
export function OnlyButton({ name, onClear }: { name: string; onClear: () => void }) {
  const t = useTexts(auditLogTexts)
  return (
    <Button
      variant="light"
      rightSection={<IconX size={16} aria-hidden />}
      aria-label={t('clearTarget', { name })}
      onClick={onClear}
    >
      {t('onlyTarget', { name })}
    </Button>
  )
}
