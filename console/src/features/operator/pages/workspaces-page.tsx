import { Anchor } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { code, created } from '../../../design/column-kinds'
import { countryOf } from '../../../design/country-field'
import { partOf } from '../../../design/part-of'
import { type FormProps, resourcePage } from '../../../design/resource-page'
import { StateBadge, moneyOf } from '../../../design/values'
import type { Workspace } from '../queries'
import { workspacesTexts } from '../texts'

const NewWorkspaceForm = partOf(async () => import('../components/new-workspace-form'), 'NewWorkspaceForm')

export const WorkspacesPage = resourcePage({
  path: '/workspaces',
  texts: workspacesTexts,
  columns: (t) => [
    {
      key: 'title',
      header: t('title'),
      sort: 'title',
      render: ({ id, title }) => (
        <Anchor component={Link} to={`/workspaces/${id}`}>
          {title}
        </Anchor>
      ),
    },
    code('id', t('id'), { sort: true }),
    { key: 'country_code', header: t('country'), render: ({ country_code }) => countryOf(country_code) },
    {
      key: 'credit',
      header: t('credit'),
      align: 'right',
      render: ({ credit_balance }) => moneyOf(credit_balance),
    },
    {
      key: 'state',
      header: t('state'),
      render: ({ is_suspended }) => (
        <StateBadge tone={is_suspended ? 'bad' : 'good'}>
          {t(is_suspended ? 'suspended' : 'active')}
        </StateBadge>
      ),
    },
    created(t('created')),
  ],
  nameOf: ({ title }) => title,
  form: NewWorkspace,
})

function NewWorkspace({ close }: FormProps<Workspace>) {
  const navigate = useNavigate()
  return (
    <NewWorkspaceForm
      onCancel={close}
      onDone={(id) => void navigate({ to: '/workspaces/$id', params: { id } })}
    />
  )
}
