import { Anchor, Modal, Text } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { CsvExport } from '../../../design/csv-tools'
import { type Column, DataTable } from '../../../design/data-table'
import { EmptyState, Page } from '../../../design/page'
import { useFieldLabel } from '../../../design/reported'
import { Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { actionText } from '../actions'
import { actorName } from '../actors'
import { AuditFilters, type AuditSearchChange } from '../components/audit-filters'
import { EntryDetails } from '../components/entry-details'
import { Target } from '../components/target'
import { type AuditEntry, askedEveryMs, auditFilterOf, auditLogQuery } from '../queries'
import { auditLogTexts } from '../texts'

export function AuditLogPage() {
  const t = useTexts(auditLogTexts)
  const search = useSearch({ from: '/shell/admin/audit-log' })
  const navigate = useNavigate({ from: '/audit-log' })
  const query = useQuery({ ...auditLogQuery(search), refetchInterval: askedEveryMs })
  const [shown, show] = useState<AuditEntry | null>(null)
  const change = (next: AuditSearchChange) => void navigate({ search: (before) => ({ ...before, ...next }) })
  return (
    <Page title={t('heading')} description={t('description')}>
      <DataTable
        label={t('heading')}
        query={query}
        columns={useColumns(show)}
        rowKey={({ id }) => id}
        search={search}
        onSearch={({ search: _, ...next }) => change(next)}
        filters={
          <AuditFilters
            search={search}
            targetName={query.data?.data[0]?.target.name ?? undefined}
            onChange={(next) => change({ ...next, page: undefined })}
          />
        }
        isFiltered={Object.keys(auditFilterOf(search)).length > 0}
        tools={<CsvExport path="/audit-log" filters={auditFilterOf(search)} />}
        empty={
          <EmptyState icon={IconListDetails} title={t('emptyTitle')}>
            {t('emptyHint')}
          </EmptyState>
        }
      />
      <Modal
        opened={shown !== null}
        onClose={() => show(null)}
        title={shown && actionText(shown.action)}
        size="xl"
      >
        {shown && <EntryDetails entry={shown} onLeave={() => show(null)} />}
      </Modal>
    </Page>
  )
}

/** How many field names fit into a row. */
const fieldsShown = 3

function useColumns(show: (entry: AuditEntry) => void): Column<AuditEntry>[] {
  const t = useTexts(auditLogTexts)
  const labelOf = useFieldLabel()
  return [
    {
      key: 'created_at',
      header: t('when'),
      sort: 'created_at',
      render: (entry) => (
        <Anchor component="button" type="button" size="sm" onClick={() => show(entry)}>
          <Time at={entry.created_at} exact />
        </Anchor>
      ),
    },
    { key: 'actor', header: t('who'), render: ({ actor }) => actorName(actor) },
    { key: 'action', header: t('what'), render: ({ action }) => actionText(action) },
    { key: 'target', header: t('thing'), render: (entry) => <Target entry={entry} /> },
    {
      key: 'changes',
      header: t('fields'),
      render: ({ changes }) => {
        const fields = Object.keys(changes)
        const more = fields.length > fieldsShown ? ' …' : ''
        return (
          <Text span size="sm" c="dimmed">
            {fields.slice(0, fieldsShown).map(labelOf).join(', ') + more || '–'}
          </Text>
        )
      },
    },
  ]
}
