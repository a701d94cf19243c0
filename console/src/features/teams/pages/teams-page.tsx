import { Anchor } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { created } from '../../../design/column-kinds'
import { partOf } from '../../../design/part-of'
import { type FormProps, resourcePage } from '../../../design/resource-page'
import { countOf } from '../../../design/values'
import type { Team } from '../queries'
import { teamsTexts } from '../texts'

const TeamForm = partOf(async () => import('../components/team-form'), 'TeamForm')

export const TeamsPage = resourcePage({
  path: '/teams',
  texts: teamsTexts,
  columns: (t) => [
    {
      key: 'name',
      header: t('name'),
      sort: 'name',
      render: ({ id, name }: Team) => (
        <Anchor component={Link} to={`/teams/${id}`}>
          {name}
        </Anchor>
      ),
    },
    {
      key: 'agents',
      header: t('agents'),
      align: 'right',
      render: ({ agent_count }) => countOf(agent_count),
    },
    created(t('created')),
  ],
  nameOf: ({ name }) => name,
  form: NewTeam,
  pageOf: ({ id }) => `/teams/${id}`,
  remove: { consequence: 'deleteConsequence' },
})

function NewTeam({ close }: FormProps<Team>) {
  const navigate = useNavigate()
  return (
    <TeamForm
      onDone={({ id }) => {
        close()
        void navigate({ to: '/teams/$id', params: { id }, search: {} })
      }}
      onCancel={close}
    />
  )
}
