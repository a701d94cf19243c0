import { ActionIcon, Modal, Text } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { askedEveryMs } from '../../../api/platform'
import { type Column, DataTable } from '../../../design/data-table'
import { EmptyState, Page } from '../../../design/page'
import { Time } from '../../../design/values'
import { WorkspaceLink } from '../../../design/workspaces'
import { useTexts } from '../../../i18n/texts'
import { actionText } from '../../audit-log/actions'
import { actorName } from '../../audit-log/actors'
import type { AuditEntry } from '../../audit-log/queries'
import { auditLogTexts } from '../../audit-log/texts'
import { EntryDetails } from '../components/entry-details'
import { type AuditSearchChange, PlatformAuditFilters } from '../components/filters'
import { platformAuditQuery } from '../queries'
import { platformFilterOf } from '../search'
import { platformAuditTexts } from '../texts'

export function PlatformAuditPage() {
  const t = useTexts(platformAuditTexts)
  const heading = t('heading')
  const search = useSearch({ from: '/shell/operator/platform/audit-log' })
  const navigate = useNavigate({ from: '/platform/audit-log' })
  const query = useQuery({ ...platformAuditQuery(search), refetchInterval: askedEveryMs })
  const [shown, setShown] = useState<AuditEntry | null>(null)
  const change = (next: AuditSearchChange) => void navigate({ search: (before) => ({ ...before, ...next }) })
  const narrow = (next: AuditSearchChange) => change({ ...next, page: undefined })
  const detailsOf = ({ action, target }: AuditEntry) =>
    t('details', { action: actionText(action), target: target.name ?? target.id })
  return (
    <Page title={heading} description={t('description')}>
      <DataTable
        label={heading}
        query={query}
        columns={useColumns()}
        rowKey={({ id }) => id}
        search={{ ...search, sort: 'created_at', order: search.order ?? 'desc' }}
        onSearch={({ search: _, ...next }) => change(next)}
        filters={<PlatformAuditFilters search={search} example={query.data?.data[0]} onChange={narrow} />}
        isFiltered={Object.keys(platformFilterOf(search)).length > 0}
        empty={
          <EmptyState icon={IconListDetails} title={t('emptyTitle')}>
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
        size="xl"
      >
        {shown && (
          <EntryDetails
            entry={shown}
            onOnly={(only) => {
              narrow(only)
              setShown(null)
            }}
          />
        )}
      </Modal>
    </Page>
  )
}

function useColumns(): Column<AuditEntry>[] {
  const [t, log] = [useTexts(platformAuditTexts), useTexts(auditLogTexts)]
  return [
    {
      key: 'when',
      header: log('when'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} exact />,
    },
    {
      key: 'actor',
      header: log('who'),
      render: ({ actor }) =>
        [actorName(actor), actor.id !== null && t(actor.kind)].filter(Boolean).join(' · '),
    },
    { key: 'action', header: log('what'), render: ({ action }) => actionText(action) },
    {
      key: 'target',
      header: log('thing'),
      render: ({ target }) => (
        <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
          {target.name ?? target.id}
        </Text>
      ),
    },
    {
      key: 'workspace',
      header: t('workspace'),
      render: ({ workspace_id }) => (workspace_id ? <WorkspaceLink id={workspace_id} /> : t('platform')),
    },
  ]
}
