import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTexts } from '../../../i18n/texts'
import { auditLogTexts } from '../texts'

/** Says that only entries of one are shown, and shows the others again. */
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
