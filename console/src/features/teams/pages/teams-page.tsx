import { dataOf } from '@jackfield/sdk'
import { Anchor } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { AddButton } from '../../../design/add-button'
import { type Column, DataTable } from '../../../design/data-table'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { EmptyState, Page } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { RowActions } from '../../../design/row-actions'
import { Time, countOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { menuTexts } from '../../texts'
import { type Team, teamsKey, teamsQuery } from '../queries'
import { teamsTexts } from '../texts'

const TeamForm = partOf(async () => import('../components/team-form'), 'TeamForm')

export function TeamsPage() {
  const t = useTexts(teamsTexts)
  const heading = useTexts(menuTexts.teams)('title')
  const search = useSearch({ from: '/shell/admin/teams' })
  const navigate = useNavigate({ from: '/teams' })
  const query = useQuery(teamsQuery(search))
  const [isAdding, adding] = useDisclosure()
  const add = <AddButton onClick={adding.open}>{t('add')}</AddButton>
  const open = (id: string) => void navigate({ to: '/teams/$id', params: { id }, search: {} })
  const columns: Column<Team>[] = [
    {
      key: 'name',
      header: t('name'),
      sort: 'name',
      render: ({ id, name }) => (
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
    {
      key: 'created',
      header: t('created'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} />,
    },
  ]
  return (
    <Page title={heading} description={t('description')} actions={add}>
      <DataTable
        label={heading}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        searchLabel={t('search')}
        empty={
          <EmptyState icon={IconUsersGroup} title={t('emptyTitle')} action={add}>
            {t('emptyHint')}
          </EmptyState>
        }
        rowActions={({ id, name }) => (
          <RowActions
            name={name}
            onEdit={() => open(id)}
            onDelete={() =>
              confirmDelete({
                name,
                consequence: t('deleteConsequence'),
                run: async () => dataOf(api.DELETE('/teams/{id}', { params: { path: { id } } })),
                row: { from: teamsKey, id },
              })
            }
          />
        )}
      />
      <FormModal title={t('add')} opened={isAdding} onClose={adding.close}>
        <TeamForm
          onDone={({ id }) => {
            adding.close()
            open(id)
          }}
          onCancel={adding.close}
        />
      </FormModal>
    </Page>
  )
}
