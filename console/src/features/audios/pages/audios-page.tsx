import { Text } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { created, text } from '../../../design/column-kinds'
import { partOf } from '../../../design/part-of'
import { type ActionProps, resourcePage } from '../../../design/resource-page'
import { RowAction } from '../../../design/row-actions'
import { Duration } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { Player } from '../components/player'
import type { Audio } from '../queries'
import { audiosTexts } from '../texts'

const NewAudioForm = partOf(async () => import('../components/new-audio-form'), 'NewAudioForm')
const RenameForm = partOf(async () => import('../components/rename-form'), 'RenameForm')

export const AudiosPage = resourcePage({
  path: '/audios',
  texts: audiosTexts,
  columns: (t) => [
    text('title', t('titleField'), { sort: true }),
    {
      key: 'source',
      header: t('source'),
      render: ({ source, text }: Audio) => (
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
    created(t('created')),
  ],
  nameOf: ({ title }) => title,
  form: ({ row, close }) =>
    row ? <RenameForm audio={row} onDone={close} /> : <NewAudioForm onDone={close} />,
  editTitle: (t, { title }) => t('rename', { title }),
  dialogs: {
    listen: {
      title: (t, { title }) => t('listening', { title }),
      Content: ({ row }) => <Player audio={row} />,
    },
  },
  Actions: Listen,
  remove: { consequence: 'deleteConsequence' },
})

function Listen({ row, open }: ActionProps<Audio>) {
  const t = useTexts(audiosTexts)
  const label = t('listen', { title: row.title })
  return <RowAction label={label} icon={IconPlayerPlay} onClick={() => open('listen', row)} />
}
