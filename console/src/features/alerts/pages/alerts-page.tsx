import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Page } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { AlertsTable } from '../components/alerts-table'
import { alertsQuery } from '../queries'
import { alertsTexts } from '../texts'

/** Polling interval, in milliseconds: alerts are not streamed. */
const askedEveryMs = 10_000

/** A workspace's own alerts. */
export function AlertsPage() {
  const t = useTexts(alertsTexts)
  const search = useSearch({ from: '/shell/admin/alerts' })
  const navigate = useNavigate({ from: '/alerts' })
  return (
    <Page title={t('heading')} description={t('description')}>
      <AlertsTable
        query={useQuery({ ...alertsQuery(search), refetchInterval: askedEveryMs })}
        search={search}
        onSearch={(next) => void navigate({ search: (before) => ({ ...before, ...next }) })}
      />
    </Page>
  )
}
