import { ActionIcon, Anchor, Modal, Text } from '@mantine/core'
import { IconHistory, IconListDetails } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type Column, DataTable } from '../../../design/data-table'
import { EmptyState, Page } from '../../../design/page'
import { Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { EntryDetails } from '../components/entry-details'
import { AuditFilters } from '../components/filters'
import { platformAuditMenu } from '../navigation'
import { type AuditEntry, platformAuditQuery } from '../queries'
import { platformAuditTexts } from '../texts'

export function PlatformAuditPage() {
  const t = useTexts(platformAuditTexts)
  const heading = useTexts(platformAuditMenu)('title')
  const search = useSearch({ from: '/shell/operator/platform/audit-log' })
  const navigate = useNavigate({ from: '/platform/audit-log' })
  const query = useQuery(platformAuditQuery(search))
  const [shown, setShown] = useState<AuditEntry | null>(null)
  const { workspace, actor, action, target, from, to } = search
  const change = (next: object) => void navigate({ search: (before) => ({ ...before, ...next }) })
  const detailsOf = (entry: AuditEntry) =>
    t('details', { action: entry.action, target: entry.target.name ?? entry.target.id })
  const columns: Column<AuditEntry>[] = [
    {
      key: 'when',
      header: t('when'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} exact />,
    },
    { key: 'action', header: t('action'), render: (entry) => <code>{entry.action}</code> },
    {
      key: 'target',
      header: t('target'),
      render: (entry) => (
        <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
          {entry.target.name ?? entry.target.id}
        </Text>
      ),
    },
    { key: 'actor', header: t('actor'), render: (entry) => t(entry.actor.kind) },
    {
      key: 'workspace',
      header: t('workspace'),
      render: ({ workspace_id }) =>
        workspace_id ? (
          <Anchor inherit component={Link} to={`/workspaces/${workspace_id}`}>
            {workspace_id}
          </Anchor>
        ) : (
          t('platform')
        ),
    },
  ]
  return (
    <Page title={heading} description={t('description')}>
      <DataTable
        label={heading}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        search={{ ...search, sort: 'created_at', order: search.order ?? 'desc' }}
        onSearch={change}
        filters={<AuditFilters search={search} onSearch={change} />}
        isFiltered={Boolean(workspace ?? actor ?? action ?? target ?? from ?? to)}
        empty={
          <EmptyState icon={IconHistory} title={t('emptyTitle')}>
            {t('emptyHint')}
          </EmptyState>
        }
        rowActions={(entry) => (
          <ActionIcon variant="subtle" aria-label={detailsOf(entry)} onClick={() => setShown(entry)}>
            <IconListDetails size={18} />
          </ActionIcon>
        )}
      />
      <Modal
        title={shown ? detailsOf(shown) : ''}
        opened={shown !== null}
        onClose={() => setShown(null)}
        size="lg"
      >
        {shown && (
          <EntryDetails
            entry={shown}
            onTarget={(id) => {
              change({ target: id, page: undefined })
              setShown(null)
            }}
          />
        )}
      </Modal>
    </Page>
  )
}
