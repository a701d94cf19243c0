import { dataOf } from '@jackfield/sdk'
import { ActionIcon, Anchor, Group, SegmentedControl, Text, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconPhoneX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { waitingKey } from '../../../api/waiting'
import { useAction } from '../../../api/use-action'
import { partOf } from '../../../design/part-of'
import type { BulkAction } from '../../../design/bulk-actions'
import { type Column, DataTable } from '../../../design/data-table'
import { EmptyState, Page } from '../../../design/page'
import { Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { CallOutcomeBadge, MissedBy } from '../components/call-outcome'
import { Party } from '../../../design/party'
import { type MissedCall, missedCallsQuery, missedKey, missedStates } from '../own-calls'
import { callsTexts, missedCallsTexts } from '../texts'

const CallButton = partOf(async () => import('../../phone/components/call-button'), 'CallButton')

export function MissedCallsPage() {
  const t = useTexts(missedCallsTexts)
  const search = useSearch({ from: '/shell/agent/missed' })
  const navigate = useNavigate({ from: '/missed' })
  const { state = 'open' } = search
  return (
    <Page title={t('heading')} description={t('description')}>
      <DataTable
        label={t('heading')}
        query={useQuery(missedCallsQuery(search))}
        columns={useColumns()}
        rowKey={({ call_id }) => call_id}
        rowActions={(call) => <Actions call={call} />}
        bulk={useBulk(state)}
        nameOf={({ far_party: { name, number } }) => name || number}
        search={search}
        onSearch={({ page, limit }) =>
          void navigate({
            search: ({ page: _, ...before }) => ({
              ...before,
              ...(page && { page }),
              ...(limit && { limit }),
            }),
          })
        }
        filters={
          <SegmentedControl
            aria-label={t('state')}
            data={missedStates.map((value) => ({ value, label: t(`state_${value}`) }))}
            value={state}
            onChange={(value) =>
              void navigate({ search: ({ limit }) => ({ ...(limit && { limit }), state: value }) })
            }
          />
        }
        isChosen
        empty={
          <EmptyState icon={IconPhoneX} title={t('emptyTitle')}>
            {t('emptyHint')}
          </EmptyState>
        }
      />
    </Page>
  )
}

function useColumns(): Column<MissedCall>[] {
  const t = useTexts(missedCallsTexts)
  const calls = useTexts(callsTexts)
  return [
    {
      key: 'created_at',
      header: t('calledAt'),
      render: ({ call_id: callId, created_at }) => (
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to="/history/$callId" params={{ callId }} />}
        >
          <Time at={created_at} />
        </Anchor>
      ),
    },
    {
      key: 'caller',
      header: t('caller'),
      render: ({ far_party: { number, name } }) => <Party number={number} name={name} />,
    },
    { key: 'outcome', header: calls('outcome'), render: (call) => <CallOutcomeBadge call={call} /> },
    { key: 'team', header: calls('team'), render: ({ team }) => team?.title ?? '–' },
    { key: 'missed_by', header: t('missedBy'), render: (call) => <MissedBy call={call} /> },
  ]
}

/** Open calls can be marked, done ones opened again; where both are shown, both. */
function useBulk(state: (typeof missedStates)[number]): readonly BulkAction<MissedCall>[] {
  const t = useTexts(missedCallsTexts)
  const changes = [missedKey, waitingKey]
  const actions: readonly BulkAction<MissedCall>[] = [
    {
      ...{ key: 'handled', label: t('done'), icon: IconCheck, changes },
      question: (count) => t('doneQuestion', { count }),
      run: async ({ call_id }) => setDone(call_id, true),
    },
    {
      ...{ key: 'open', label: t('reopen'), icon: IconArrowBackUp, changes },
      question: (count) => t('reopenQuestion', { count }),
      run: async ({ call_id }) => setDone(call_id, false),
    },
  ]
  return actions.filter(({ key }) => key !== state)
}

async function setDone(id: string, isDone: boolean) {
  const params = { path: { id } }
  return dataOf(
    isDone
      ? api.PUT('/call-center/missed-calls/{id}/handled', { params })
      : api.DELETE('/call-center/missed-calls/{id}/handled', { params }),
  )
}

function Actions({ call }: { call: MissedCall }) {
  const t = useTexts(missedCallsTexts)
  const { call_id: id, far_party: far, handled_by, handled_at, phone_number } = call
  const isDone = handled_at !== null
  const { mutate, isPending } = useAction({
    run: async () => setDone(id, !isDone),
    changes: [missedKey, waitingKey],
    done: isDone ? t('reopened') : t('marked'),
  })
  const label = isDone ? t('reopen') : t('done')
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      {handled_by && (
        <Text size="sm" c="dimmed">
          {t('handledBy', { name: handled_by.display_name })}
        </Text>
      )}
      <CallButton number={far.number} name={far.name || far.number} numberId={phone_number?.id ?? ''} />
      <Tooltip label={label}>
        <ActionIcon
          variant="default"
          size="md"
          aria-label={label}
          loading={isPending}
          onClick={() => mutate()}
        >
          {isDone ? <IconArrowBackUp size={16} /> : <IconCheck size={16} />}
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
