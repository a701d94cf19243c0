import { dataOf } from '@jackfield/sdk'
import { Anchor, Button } from '@mantine/core'
import { IconKey, IconPlus, IconRobot, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { type Column, DataTable } from '../../../design/data-table'
import { confirmDelete } from '../../../design/dialogs'
import { EmptyState, Page } from '../../../design/page'
import { StateBadge, Time } from '../../../design/values'
import { RowAction } from '../../../design/row-actions'
import { useTexts } from '../../../i18n/texts'
import { type VoiceAgent, voiceAgentsKey, voiceAgentsQuery } from '../queries'
import { voiceAgentsTexts } from '../texts'

export function VoiceAgentsPage() {
  const t = useTexts(voiceAgentsTexts)
  const search = useSearch({ from: '/shell/admin/voice-agents' })
  const navigate = useNavigate({ from: '/voice-agents' })
  const query = useQuery(voiceAgentsQuery(search))
  const add = (
    <Button component={Link} to="/voice-agents/new" leftSection={<IconPlus size={18} />}>
      {t('new')}
    </Button>
  )
  const columns: Column<VoiceAgent>[] = [
    {
      key: 'name',
      header: t('name'),
      sort: 'name',
      render: ({ id, name }) => (
        <Anchor component={Link} to={`/voice-agents/${id}`}>
          {name}
        </Anchor>
      ),
    },
    {
      key: 'published',
      header: t('published'),
      render: ({ published_version: version }) =>
        version === null ? (
          <StateBadge tone="warn">{t('noneIsPublished')}</StateBadge>
        ) : (
          t('version', { version })
        ),
    },
    {
      key: 'updated',
      header: t('changed'),
      render: ({ updated_at }) => <Time at={updated_at} />,
    },
    {
      key: 'created',
      header: t('created'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} />,
    },
  ]
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={
        <>
          <Button
            component={Link}
            to="/voice-agents/providers"
            variant="default"
            leftSection={<IconKey size={18} />}
          >
            {t('providers')}
          </Button>
          {add}
        </>
      }
    >
      <DataTable
        label={t('title')}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        searchLabel={t('search')}
        empty={
          <EmptyState icon={IconRobot} title={t('emptyTitle')} action={add}>
            {t('emptyHint')}
          </EmptyState>
        }
        rowActions={({ id, name }) => (
          <RowAction
            label={t('deleteOne', { name })}
            icon={IconTrash}
            isDangerous
            onClick={() =>
              confirmDelete({
                name,
                consequence: t('deleteConsequence'),
                run: async () => dataOf(api.DELETE('/voice-agents/{id}', { params: { path: { id } } })),
                row: { from: voiceAgentsKey, id },
              })
            }
          />
        )}
      />
    </Page>
  )
}
