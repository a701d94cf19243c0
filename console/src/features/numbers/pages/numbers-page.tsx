import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { workspaceQuery } from '../../../api/workspace'
import { created, text } from '../../../design/column-kinds'
import { partOf } from '../../../design/part-of'
import { Loading } from '../../../design/page'
import { type FormProps, resourcePage } from '../../../design/resource-page'
import { PhoneNumber } from '../../../design/values'
import { NumberFilters } from '../components/number-filters'
import { NumberStatus } from '../components/number-status'
import { type Number, numbersFilterOf } from '../queries'
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
      sort: 'number',
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
  Filters: NumberFilters,
  csv: numbersFilterOf,
  useBulk,
  remove: { consequence: 'deleteConsequence' },
})

function Connect({ close }: FormProps<Number>) {
  // The form begins with the workspace's country.
  const { data: workspace, isPending } = useQuery(workspaceQuery)
  if (isPending) return <Loading rows={4} />
  return <ConnectNumberForm country={workspace?.country_code} onDone={close} onCancel={close} />
}
