import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { askedEveryMs, workspaceChoices } from '../../../api/platform'
import type { Column } from '../../../design/data-table'
import { Page } from '../../../design/page'
import { Picker } from '../../../design/picker'
import { useTexts } from '../../../i18n/texts'
import { AlertsTable } from '../components/alerts-table'
import { alertsMenu } from '../navigation'
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
    render: ({ workspace_id }) => (
      <Anchor inherit component={Link} to={`/workspaces/${workspace_id}`}>
        {workspace_id}
      </Anchor>
    ),
  }
  return (
    <Page title={useTexts(alertsMenu)('title')} description={t('description')}>
      <AlertsTable
        query={useQuery({ ...platformAlertsQuery(search), refetchInterval: askedEveryMs })}
        search={search}
        onSearch={change}
        more={[workspace]}
        filters={
          <Picker
            label={t('workspace')}
            placeholder={t('allWorkspaces')}
            source={workspaceChoices}
            clearable
            w={200}
            value={search.workspace ?? null}
            onChange={(next) => change({ workspace: next ?? undefined, page: undefined })}
          />
        }
      />
    </Page>
  )
}
