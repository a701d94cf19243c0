import { dataOf } from '@jackfield/sdk'
import { Anchor, Select, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconHash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { workspaceQuery } from '../../../api/workspace'
import { AddButton } from '../../../design/add-button'
import { type Column, DataTable } from '../../../design/data-table'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { EmptyState, Page } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { RowActions } from '../../../design/row-actions'
import { PhoneNumber, Time } from '../../../design/values'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { menuTexts } from '../../texts'
import { NumberStatus } from '../components/number-status'
import { type Number, capabilities, capabilityOf, numbersKey, numbersQuery } from '../queries'
import { numbersTexts } from '../texts'

const ConnectNumberForm = partOf(async () => import('../components/connect-number-form'), 'ConnectNumberForm')

export function NumbersPage() {
  const t = useTexts(numbersTexts)
  const heading = useTexts(menuTexts.numbers)('title')
  const c = useTexts(common)
  const search = useSearch({ from: '/shell/admin/numbers' })
  const navigate = useNavigate({ from: '/numbers' })
  const query = useQuery(numbersQuery(search))
  const { data: workspace } = useQuery(workspaceQuery)
  const [isConnecting, connecting] = useDisclosure()
  const connect = <AddButton onClick={connecting.open}>{t('connect')}</AddButton>
  const columns: Column<Number>[] = [
    {
      key: 'number',
      header: t('number'),
      render: ({ id, number }) => (
        <Anchor component={Link} to={`/numbers/${id}`}>
          <PhoneNumber number={`+${number}`} />
        </Anchor>
      ),
    },
    { key: 'title', header: t('titleField'), sort: 'title', render: ({ title }) => title },
    { key: 'status', header: t('status'), render: ({ status }) => <NumberStatus status={status} /> },
    { key: 'type', header: t('type'), render: ({ type }) => t(type) },
    {
      key: 'capabilities',
      header: t('capabilities'),
      render: ({ capabilities }) => <Text span>{capabilities.map((can) => t(can)).join(', ') || '–'}</Text>,
    },
    {
      key: 'created',
      header: c('created'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} />,
    },
  ]
  return (
    <Page title={heading} description={t('description')} actions={connect}>
      <DataTable
        label={heading}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        searchLabel={t('search')}
        isFiltered={search.capability !== undefined}
        filters={
          <Select
            aria-label={t('capabilities')}
            placeholder={t('anyCapability')}
            clearable
            clearButtonProps={{ 'aria-label': t('anyCapability') }}
            data={capabilities.map((value) => ({ value, label: t(value) }))}
            value={search.capability ?? null}
            onChange={(value) => {
              const capability = capabilityOf(value)
              void navigate({ search: ({ page: _, ...before }) => ({ ...before, capability }) })
            }}
            w={170}
          />
        }
        empty={
          <EmptyState icon={IconHash} title={t('emptyTitle')} action={connect}>
            {t('emptyHint')}
          </EmptyState>
        }
        rowActions={({ id, number }) => (
          <RowActions
            name={`+${number}`}
            onEdit={() => void navigate({ to: '/numbers/$id', params: { id } })}
            onDelete={() =>
              confirmDelete({
                name: `+${number}`,
                consequence: t('deleteConsequence'),
                run: async () => dataOf(api.DELETE('/phone-numbers/{id}', { params: { path: { id } } })),
                row: { from: numbersKey, id },
              })
            }
          />
        )}
      />
      <FormModal title={t('connect')} opened={isConnecting} onClose={connecting.close}>
        <ConnectNumberForm
          country={workspace?.country_code}
          onDone={connecting.close}
          onCancel={connecting.close}
        />
      </FormModal>
    </Page>
  )
}
