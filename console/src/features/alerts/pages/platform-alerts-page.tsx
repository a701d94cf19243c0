import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { askedEveryMs } from '../../../api/platform'
import type { Column } from '../../../design/data-table'
import { Page } from '../../../design/page'
import { WorkspaceFilter, WorkspaceLink } from '../../../design/workspaces'
import { useTexts } from '../../../i18n/texts'
import { AlertsTable } from '../components/alerts-table'
import { type Alert, type AlertsSearch, platformAlertsQuery } from '../queries'
import { alertsTexts } from '../texts'

/** The alerts of all workspaces. */
export function PlatformAlertsPage() {
  const t = useTexts(alertsTexts)
  const search = useSearch({ from: '/shell/operator/platform/alerts' })
  const navigate = useNavigate({ from: '/platform/alerts' })
  const change = (next: { [Field in keyof AlertsSearch]: AlertsSearch[Field] | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...next }) })
  const workspace: Column<Alert> = {
    key: 'workspace',
    header: t('workspace'),
    render: ({ workspace_id }) => <WorkspaceLink id={workspace_id} />,
  }
  return (
    <Page title={t('heading')} description={t('description')}>
      <AlertsTable
        query={useQuery({ ...platformAlertsQuery(search), refetchInterval: askedEveryMs })}
        search={search}
        onSearch={change}
        more={[workspace]}
        filters={
          <WorkspaceFilter
            value={search.workspace}
            onChange={(next) => change({ workspace: next, page: undefined })}
          />
        }
      />
    </Page>
  )
}
