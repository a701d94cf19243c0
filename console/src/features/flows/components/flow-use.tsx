/** Which numbers a flow takes the calls of, and the way to give it one more. */
import { dataOf } from '@jackfield/sdk'
import { Anchor, Button, Divider, List, Popover, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconPhoneIncoming } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { keyOf } from '../../../api/resources'
import { useAction } from '../../../api/use-action'
import { Answered } from '../../../design/page'
import { NumbersIn, PhoneNumber } from '../../../design/values'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { type Flow, flowsKey, numbersOfFlowsQuery } from '../queries'
import { useTextsOfUse } from './use-texts'

export function FlowUse({ flow, onUsed }: { flow: Flow; onUsed: (flow: Flow) => void }) {
  const { t, summary } = useTextsOfUse()
  const count = flow.phone_numbers.length
  return (
    <Popover position="bottom-end" withinPortal trapFocus returnFocus width="min(360px, calc(100vw - 24px))">
      <Popover.Target>
        <Button
          size="sm"
          variant="default"
          color={count === 0 ? 'yellow' : undefined}
          leftSection={<IconPhoneIncoming size={16} aria-hidden />}
        >
          {summary(count)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('usedBy')}>
        <Stack gap="sm">
          {count > 0 && (
            <List listStyleType="none" size="sm" spacing={4} aria-label={t('usedBy')}>
              {flow.phone_numbers.map(({ id, number, title }) => (
                <List.Item key={id}>
                  <Anchor component={Link} to={`/numbers/${id}`} size="sm">
                    <PhoneNumber number={`+${number}`} />
                  </Anchor>{' '}
                  {title}
                </List.Item>
              ))}
            </List>
          )}
          <Divider label={t('useForNumber')} labelPosition="left" />
          <OtherNumbers flow={flow} onUsed={onUsed} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

/** The other numbers of the workspace, which has at most a hundred; one click gives the flow their calls. */
function OtherNumbers({ flow, onUsed }: { flow: Flow; onUsed: (flow: Flow) => void }) {
  const { t } = useTextsOfUse()
  const words = useTexts(common)
  const query = useQuery(numbersOfFlowsQuery)
  const assign = useAction({
    run: async (id: string) => {
      const body = { call_flow_id: flow.id }
      await dataOf(api.PATCH('/phone-numbers/{id}', { params: { path: { id } }, body }))
      return dataOf(api.GET('/call-flows/{id}', { params: { path: { id: flow.id } } }))
    },
    changes: [keyOf('/phone-numbers'), [...flowsKey, 'list'], numbersOfFlowsQuery.queryKey],
    done: t('assigned'),
    onDone: onUsed,
  })
  const choose = (id: string, number: string, other: string | null | undefined) => {
    if (!other) {
      assign.mutate(id)
      return
    }
    modals.openConfirmModal({
      title: <NumbersIn text={t('takeOverQuestion', { number: `+${number}` })} />,
      children: <Text>{t('takeOverHint', { other })}</Text>,
      labels: { confirm: t('takeOver'), cancel: words('cancel') },
      onConfirm: () => assign.mutate(id),
    })
  }
  return (
    <Answered query={query} rows={2}>
      {({ data }) => {
        const others = data.filter(({ call_flow_id }) => call_flow_id !== flow.id)
        if (others.length === 0) {
          return (
            <Anchor component={Link} to="/numbers" size="sm">
              {t('noOtherNumber')}
            </Anchor>
          )
        }
        return (
          <Stack gap={4} mah={240} style={{ overflowY: 'auto' }}>
            {others.map(({ id, number, title, call_flow_title }) => (
              <Button
                key={id}
                size="xs"
                variant="default"
                justify="flex-start"
                style={{ flexShrink: 0 }}
                loading={assign.isPending && assign.variables === id}
                onClick={() => choose(id, number, call_flow_title)}
              >
                <PhoneNumber number={`+${number}`} />
                &nbsp;· {title}
                {call_flow_title && ` (${call_flow_title})`}
              </Button>
            ))}
          </Stack>
        )
      }}
    </Answered>
  )
}
