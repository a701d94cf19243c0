import { dataOf } from '@jackfield/sdk'
import { Group, Text } from '@mantine/core'
import { IconMusic, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client'
import { AddButton } from '../../../design/add-button'
import { type Column, DataTable } from '../../../design/data-table'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { EmptyState, Page } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { RowAction, RowActions } from '../../../design/row-actions'
import { Duration, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { menuTexts } from '../../texts'
import { Player } from '../components/player'
import { type Audio, audiosKey, audiosQuery } from '../queries'
import { audiosTexts } from '../texts'

const NewAudioForm = partOf(async () => import('../components/new-audio-form'), 'NewAudioForm')
const RenameForm = partOf(async () => import('../components/rename-form'), 'RenameForm')

type Open = { dialog: 'new' } | { dialog: 'listen' | 'rename'; audio: Audio }

export function AudiosPage() {
  const t = useTexts(audiosTexts)
  const heading = useTexts(menuTexts.audios)('title')
  const search = useSearch({ from: '/shell/admin/audios' })
  const navigate = useNavigate({ from: '/audios' })
  const query = useQuery(audiosQuery(search))
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const add = <AddButton onClick={() => setOpen({ dialog: 'new' })}>{t('add')}</AddButton>
  const columns: Column<Audio>[] = [
    { key: 'title', header: t('titleField'), sort: 'title', render: ({ title }) => title },
    {
      key: 'source',
      header: t('source'),
      render: ({ source, text }) => (
        <Text size="sm" maw={320} truncate title={text ?? undefined}>
          {text ?? t(source)}
        </Text>
      ),
    },
    {
      key: 'duration',
      header: t('duration'),
      align: 'right',
      render: ({ duration }) => <Duration seconds={Math.ceil(duration)} />,
    },
    {
      key: 'created',
      header: t('created'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} />,
    },
  ]
  return (
    <Page title={heading} description={t('description')} actions={add}>
      <DataTable
        label={heading}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        searchLabel={t('search')}
        empty={
          <EmptyState icon={IconMusic} title={t('emptyTitle')} action={add}>
            {t('emptyHint')}
          </EmptyState>
        }
        rowActions={(audio) => <AudioActions audio={audio} onOpen={setOpen} />}
      />
      <FormModal title={t('add')} opened={open?.dialog === 'new'} onClose={close}>
        <NewAudioForm onDone={close} />
      </FormModal>
      {open && open.dialog !== 'new' && (
        <FormModal
          title={t(open.dialog === 'listen' ? 'listening' : 'rename', { title: open.audio.title })}
          opened
          onClose={close}
        >
          {open.dialog === 'listen' ? (
            <Player audio={open.audio} />
          ) : (
            <RenameForm audio={open.audio} onDone={close} />
          )}
        </FormModal>
      )}
    </Page>
  )
}

function AudioActions({ audio, onOpen }: { audio: Audio; onOpen: (open: Open) => void }) {
  const t = useTexts(audiosTexts)
  const { id, title } = audio
  const label = t('listen', { title })
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <RowAction label={label} icon={IconPlayerPlay} onClick={() => onOpen({ dialog: 'listen', audio })} />
      <RowActions
        name={title}
        onEdit={() => onOpen({ dialog: 'rename', audio })}
        onDelete={() =>
          confirmDelete({
            name: title,
            consequence: t('deleteConsequence'),
            run: async () => dataOf(api.DELETE('/audios/{id}', { params: { path: { id } } })),
            row: { from: audiosKey, id },
          })
        }
      />
    </Group>
  )
}
