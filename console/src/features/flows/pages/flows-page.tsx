import { dataOf } from '@jackfield/sdk'
import { Anchor, Button, Group, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCopy, IconPlus, IconSitemap, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { type Column, DataTable } from '../../../design/data-table'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { EmptyState, Page } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { Time } from '../../../design/values'
import { common } from '../../../i18n/common'
import { RowAction } from '../../../design/row-actions'
import { useTexts } from '../../../i18n/texts'
import { menuTexts } from '../../texts'
import { type ListedFlow, flowsKey, flowsQuery } from '../queries'
import { flowsTexts } from '../texts'

const NewFlowForm = partOf(async () => import('../components/new-flow-form'), 'NewFlowForm')

/** The API's limit of a title. */
const maxTitle = 36

export function FlowsPage() {
  const [t, menu] = [useTexts(flowsTexts), useTexts(menuTexts.flows)]
  const words = useTexts(common)
  const search = useSearch({ from: '/shell/admin/flows' })
  const navigate = useNavigate({ from: '/flows' })
  const query = useQuery(flowsQuery(search))
  const [isAdding, adding] = useDisclosure()
  const duplicate = useAction({
    run: async ({ id }: ListedFlow) => {
      const { title, trigger_type, nodes } = await dataOf(
        api.GET('/call-flows/{id}', { params: { path: { id } } }),
      )
      const copy = t('copyOf', { title }).slice(0, maxTitle)
      return dataOf(api.POST('/call-flows', { body: { title: copy, trigger_type, nodes } }))
    },
    changes: [flowsKey],
    done: t('made'),
  })
  const add = (
    <Button leftSection={<IconPlus size={18} />} onClick={adding.open}>
      {t('add')}
    </Button>
  )
  const columns: Column<ListedFlow>[] = [
    {
      key: 'title',
      header: t('what'),
      sort: 'title',
      render: ({ id, title }) => (
        <Anchor component={Link} to={`/flows/${id}`} fw={500}>
          {title}
        </Anchor>
      ),
    },
    { key: 'trigger', header: t('trigger'), render: ({ trigger_type }) => t(trigger_type) },
    { key: 'updated', header: words('updated'), render: ({ updated_at }) => <Time at={updated_at} /> },
    {
      key: 'created',
      header: words('created'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} />,
    },
  ]
  return (
    <Page title={menu('title')} description={t('description')} actions={add}>
      <DataTable
        label={menu('title')}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        searchLabel={t('search')}
        isFiltered={search.trigger !== undefined}
        filters={
          <Select
            aria-label={t('trigger')}
            placeholder={t('trigger')}
            clearable
            clearButtonProps={{ 'aria-label': words('clear') }}
            data={[
              { value: 'inbound', label: t('inbound') },
              { value: 'outbound', label: t('outbound') },
            ]}
            value={search.trigger ?? null}
            onChange={(value) =>
              void navigate({
                search: ({ page: _page, trigger: _trigger, ...before }) => ({
                  ...before,
                  ...(value && { trigger: value }),
                }),
              })
            }
          />
        }
        empty={
          <EmptyState icon={IconSitemap} title={t('emptyTitle')} action={add}>
            {t('emptyHint')}
          </EmptyState>
        }
        rowActions={(flow) => (
          <Group gap={4} wrap="nowrap" justify="flex-end">
            <RowAction
              label={t('duplicate', { title: flow.title })}
              icon={IconCopy}
              isRunning={duplicate.isPending && duplicate.variables.id === flow.id}
              onClick={() => duplicate.mutate(flow)}
            />
            <RowAction
              label={t('deleteNamed', { title: flow.title })}
              icon={IconTrash}
              isDangerous
              onClick={() =>
                confirmDelete({
                  name: flow.title,
                  consequence: t('deleteConsequence'),
                  run: async () =>
                    dataOf(api.DELETE('/call-flows/{id}', { params: { path: { id: flow.id } } })),
                  row: { from: flowsKey, id: flow.id },
                })
              }
            />
          </Group>
        )}
      />
      <FormModal title={t('add')} opened={isAdding} onClose={adding.close}>
        <NewFlowForm
          onCancel={adding.close}
          onMade={({ id }) => void navigate({ to: '/flows/$flowId', params: { flowId: id }, search: {} })}
        />
      </FormModal>
    </Page>
  )
}
