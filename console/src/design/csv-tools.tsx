/** Beside a list: its rows as a CSV file, and rows from one. */
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import type { QueryKey } from '@tanstack/react-query'
import { contentOf, saveFile } from '../api/download'
import { useAction } from '../api/use-action'
import { useTexts } from '../i18n/texts'
import { FormModal } from './form-modal'
import type { ImportPath } from './import-form'
import { partOf } from './part-of'
import { designTexts } from './texts'

const ImportForm = partOf(async () => import('./import-form'), 'ImportForm')

interface CsvToolsProps {
  /** Of the list, in the API. */
  path: ImportPath
  /** The list's filters, as the API has them. */
  filters: Readonly<Record<string, string | boolean | undefined>>
  /** Keys of the queries that an import makes stale. */
  changes: readonly QueryKey[]
}

export function CsvTools({ path, filters, changes }: CsvToolsProps) {
  const t = useTexts(designTexts.csv)
  const [isOpen, { open, close }] = useDisclosure()
  const save = useAction({
    run: async () => {
      const given = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '')
      const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
      return contentOf(`${path}/export.csv?${query.toString()}`)
    },
    onDone: (content) => saveFile(content, `${path.slice(1)}.csv`),
  })
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={save.isPending}
        onClick={() => save.mutate(undefined)}
      >
        {t('export')}
      </Button>
      <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} onClick={open}>
        {t('import')}
      </Button>
      <FormModal title={t('import')} size="xl" opened={isOpen} onClose={close}>
        <ImportForm path={path} changes={changes} onDone={close} />
      </FormModal>
    </>
  )
}
