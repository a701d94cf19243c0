import { Anchor, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { workspaceQuery } from '../../../api/workspace'
import { created, text } from '../../../design/column-kinds'
import { CsvTools } from '../../../design/csv-tools'
import { partOf } from '../../../design/part-of'
import { Loading } from '../../../design/page'
import { type FilterProps, type FormProps, resourcePage } from '../../../design/resource-page'
import { PhoneNumber } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { NumberStatus } from '../components/number-status'
import { type Number, type NumbersSearch, capabilities, capabilityOf, numbersKey } from '../queries'
import { numbersTexts } from '../texts'
import { useBulk } from '../use-bulk'

const ConnectNumberForm = partOf(async () => import('../components/connect-number-form'), 'ConnectNumberForm')

export const NumbersPage = resourcePage({
  path: '/phone-numbers',
  texts: numbersTexts,
  columns: (t) => [
    {
      key: 'number',
      header: t('number'),
      render: ({ id, number }) => (
        <Anchor component={Link} to={`/numbers/${id}`}>
          <PhoneNumber number={`+${number}`} />
        </Anchor>
      ),
    },
    text('title', t('titleField'), { sort: true }),
    {
      key: 'flow',
      header: t('flow'),
      render: ({ call_flow_id, call_flow_title }) =>
        call_flow_id ? (
          <Anchor component={Link} to={`/flows/${call_flow_id}`}>
            {call_flow_title ?? call_flow_id}
          </Anchor>
        ) : (
          '–'
        ),
    },
    {
      key: 'teams',
      header: t('teams'),
      render: ({ shared_team_names = [] }) => <Text span>{shared_team_names.join(', ') || '–'}</Text>,
    },
    { key: 'status', header: t('status'), render: ({ status }) => <NumberStatus status={status} /> },
    { key: 'type', header: t('type'), render: ({ type }) => t(type) },
    {
      key: 'capabilities',
      header: t('capabilities'),
      render: ({ capabilities }) => <Text span>{capabilities.map((can) => t(can)).join(', ') || '–'}</Text>,
    },
    created(t('created')),
  ],
  nameOf: ({ number }) => `+${number}`,
  form: Connect,
  pageOf: ({ id }) => `/numbers/${id}`,
  Filters: CapabilityFilter,
  isFiltered: ({ capability }) => capability !== undefined,
  Tools: ({ search }: { search: NumbersSearch }) => (
    <CsvTools
      path="/phone-numbers"
      filters={{ search: search.search, capability: search.capability }}
      changes={[numbersKey]}
    />
  ),
  useBulk,
  remove: { consequence: 'deleteConsequence' },
})

function Connect({ close }: FormProps<Number>) {
  // The form begins with the workspace's country.
  const { data: workspace, isPending } = useQuery(workspaceQuery)
  if (isPending) return <Loading rows={4} />
  return <ConnectNumberForm country={workspace?.country_code} onDone={close} onCancel={close} />
}

function CapabilityFilter({ search, onChange }: FilterProps<NumbersSearch>) {
  const t = useTexts(numbersTexts)
  return (
    <Select
      aria-label={t('capabilities')}
      placeholder={t('anyCapability')}
      clearable
      clearButtonProps={{ 'aria-label': t('anyCapability') }}
      data={capabilities.map((value) => ({ value, label: t(value) }))}
      value={search.capability ?? null}
      onChange={(value) => onChange({ capability: capabilityOf(value) })}
      w={170}
    />
  )
}
