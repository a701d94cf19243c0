import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { DayRange } from '../../../api/days'
import { contentOf, saveFile } from '../../../api/download'
import { useAction } from '../../../api/use-action'
import { designTexts } from '../../../design/texts'
import { useTexts } from '../../../i18n/texts'

/** Downloads the charges of these days, by kind and prefix (docs/operate/prices.md). */
export function ExportButton({ days: { from, to } }: { days: DayRange }) {
  const t = useTexts(designTexts.csv)
  const save = useAction({
    run: async () => {
      const days = new URLSearchParams({ ...(from && { from }), ...(to && { to }), format: 'csv' })
      return contentOf(`/usage/export?${days.toString()}`)
    },
    onDone: (content) => saveFile(content, `usage-${from ?? ''}-${to ?? ''}.csv`),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      loading={save.isPending}
      onClick={() => save.mutate(undefined)}
    >
      {t('export')}
    </Button>
  )
}
