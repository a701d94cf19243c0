/** Beside a list: its rows as a CSV file, and rows from one. */
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { contentOf, saveFile } from '../api/download'
import { type ExportPath, type ImportPath, keyOf } from '../api/resources'
import { useAction } from '../api/use-action'
import { useTexts } from '../i18n/texts'
import { FormModal } from './form-modal'
import { partOf } from './part-of'
import { designTexts } from './texts'

const ImportForm = partOf(async () => import('./import-form'), 'ImportForm')

/** A list's filters, as the API has them. */
export type CsvFilters = Readonly<Record<string, string | boolean | undefined>>

interface CsvExportProps {
  /** Of the list, in the API. */
  path: ExportPath
  filters: CsvFilters
}

/** All rows that the filters find, not only those of this page. */
export function CsvExport({ path, filters }: CsvExportProps) {
  const t = useTexts(designTexts.csv)
  const save = useAction({
    run: async () => {
      const given = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '')
      const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
      return contentOf(`${path}/export.csv?${query.toString()}`)
    },
    onDone: (content) => saveFile(content, `${path.slice(1)}.csv`),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={save.isPending}
      onClick={() => save.mutate(undefined)}
    >
      {t('export')}
    </Button>
  )
}

export function CsvTools({ path, filters }: CsvExportProps & { path: ImportPath }) {
  const t = useTexts(designTexts.csv)
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <CsvExport path={path} filters={filters} />
      <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} onClick={open}>
        {t('import')}
      </Button>
      <FormModal title={t('import')} size="xl" opened={isOpen} onClose={close}>
        <ImportForm path={path} changes={[keyOf(path)]} onDone={close} />
      </FormModal>
    </>
  )
}
