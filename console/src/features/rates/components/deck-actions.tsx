import { dataOf } from '@jackfield/sdk'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload, IconPencil, IconTrash, IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { contentOf, saveFile } from '../../../api/download'
import { rateDecksKey } from '../../../api/platform'
import { useAction } from '../../../api/use-action'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { partOf } from '../../../design/part-of'
import { designTexts } from '../../../design/texts'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import type { RateDeck } from '../queries'
import { ratesTexts } from '../texts'

const DeckForm = partOf(async () => import('./deck-form'), 'DeckForm')
const ImportForm = partOf(async () => import('./import-form'), 'ImportForm')

/** Actions on a deck. */
export function DeckActions({ deck }: { deck: RateDeck }) {
  const { id, title } = deck
  const [t, words, csv] = [useTexts(ratesTexts), useTexts(common), useTexts(designTexts.csv)]
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isRenaming, renaming] = useDisclosure()
  const [isImporting, importing] = useDisclosure()
  const save = useAction({
    run: async () => contentOf(`/rate-decks/${encodeURIComponent(id)}/rates.csv`),
    onDone: (content) => saveFile(content, `rates-${id}.csv`),
  })
  const remove = () =>
    confirmDelete({
      name: title,
      consequence: t('deleteConsequence'),
      run: async () => dataOf(api.DELETE('/rate-decks/{id}', { params: { path: { id } } })),
      onDone: () => {
        void navigate({ to: '/rate-decks', search: {} })
        void client.invalidateQueries({ queryKey: [...rateDecksKey, 'list'] })
      },
    })
  return (
    <>
      <Button leftSection={<IconUpload size={18} aria-hidden />} onClick={importing.open}>
        {t('import')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconDownload size={18} aria-hidden />}
        loading={save.isPending}
        onClick={() => save.mutate(undefined)}
      >
        {csv('export')}
      </Button>
      <Button variant="default" leftSection={<IconPencil size={18} aria-hidden />} onClick={renaming.open}>
        {t('rename')}
      </Button>
      <Button variant="default" leftSection={<IconTrash size={18} aria-hidden />} onClick={remove}>
        {words('delete')}
      </Button>
      <FormModal title={t('renameOf', { title })} opened={isRenaming} onClose={renaming.close}>
        <DeckForm deck={deck} onDone={renaming.close} onCancel={renaming.close} />
      </FormModal>
      <FormModal title={t('importOf', { title })} opened={isImporting} onClose={importing.close}>
        <ImportForm deck={deck} onDone={importing.close} />
      </FormModal>
    </>
  )
}
