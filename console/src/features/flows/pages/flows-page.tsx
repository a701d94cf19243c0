import { dataOf } from '@jackfield/sdk'
import { Anchor, Group, Select, Stack, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { created, time } from '../../../design/column-kinds'
import { type ActionProps, type FilterProps, resourcePage } from '../../../design/resource-page'
import { RowAction } from '../../../design/row-actions'
import { PhoneNumber, StateBadge } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { type FlowsSearch, type ListedFlow, flowsKey, triggerOf, triggers } from '../queries'
import { flowsTexts } from '../texts'

/** The API's limit of a title. */
const maxTitle = 36

export const FlowsPage = resourcePage({
  path: '/call-flows',
  texts: flowsTexts,
  columns: (t) => [
    {
      key: 'title',
      header: t('what'),
      sort: 'title',
      render: ({ id, title, has_draft }) => (
        <Group gap="xs">
          <Anchor component={Link} to={`/flows/${id}`} fw={500}>
            {title}
          </Anchor>
          {has_draft && <StateBadge tone="idle">{t('hasDraft')}</StateBadge>}
        </Group>
      ),
    },
    { key: 'trigger', header: t('trigger'), render: ({ trigger_type }) => t(trigger_type) },
    { key: 'use', header: t('usedBy'), render: (flow) => <UsedBy flow={flow} /> },
    time('updated_at', t('updated')),
    created(t('created')),
  ],
  nameOf: ({ title }) => title,
  newPage: '/flows/new',
  Filters: TriggerFilter,
  isFiltered: ({ trigger }) => trigger !== undefined,
  Actions: Duplicate,
  remove: { consequence: 'deleteConsequence' },
})

/** Numbers that a row names; the flow's page has all of them. */
const namedNumbers = 2

function UsedBy({ flow: { phone_numbers, dial_code } }: { flow: ListedFlow }) {
  const t = useTexts(flowsTexts)
  const more = phone_numbers.length - namedNumbers
  const isUnused = phone_numbers.length === 0 && dial_code === null
  return (
    <Stack gap={0}>
      {phone_numbers.slice(0, namedNumbers).map(({ id, number }) => (
        <Anchor key={id} component={Link} to={`/numbers/${id}`} size="sm">
          <PhoneNumber number={`+${number}`} />
        </Anchor>
      ))}
      {more > 0 && <Text size="sm">{t('moreNumbers', { count: more })}</Text>}
      {dial_code !== null && <Text size="sm">{dial_code}</Text>}
      {isUnused && (
        <Text size="sm" c="dimmed">
          {t('unused')}
        </Text>
      )}
    </Stack>
  )
}

function TriggerFilter({ search, onChange }: FilterProps<FlowsSearch>) {
  const t = useTexts(flowsTexts)
  return (
    <Select
      aria-label={t('trigger')}
      placeholder={t('trigger')}
      clearable
      clearButtonProps={{ 'aria-label': t('clear') }}
      data={triggers.map((value) => ({ value, label: t(value) }))}
      value={search.trigger ?? null}
      onChange={(value) => onChange({ trigger: triggerOf(value) })}
    />
  )
}

function Duplicate({ row }: ActionProps<ListedFlow>) {
  const t = useTexts(flowsTexts)
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
  return (
    <RowAction
      label={t('duplicate', { title: row.title })}
      icon={IconCopy}
      isRunning={duplicate.isPending}
      onClick={() => duplicate.mutate(row)}
    />
  )
}
