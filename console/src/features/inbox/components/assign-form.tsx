import { dataOf } from '@jackfield/sdk'
import { Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client'
import { useMe } from '../../../api/me'
import { FormFrame, useApiForm } from '../../../design/forms'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { putConversation } from '../live-cache'
import { type Conversation, colleaguesQuery, teamsQuery } from '../queries'
import { inboxTexts } from '../texts'
import { useAgentName } from './people'

export function AssignForm({ conversation, onDone }: { conversation: Conversation; onDone: () => void }) {
  const t = useTexts(inboxTexts)
  const c = useTexts(common)
  const client = useQueryClient()
  const me = useMe()
  const [text, setText] = useState('')
  const [searched] = useDebouncedValue(text, 250)
  const first = useQuery(colleaguesQuery())
  // Only where not all are known already the API is asked.
  const hasMore = (first.data?.meta.total ?? 0) > (first.data?.data.length ?? 0)
  const found = useQuery({ ...colleaguesQuery(searched), enabled: hasMore && searched !== '' })
  const teams = useQuery(teamsQuery)
  const { id, assigned_agent_id, assigned_team_id } = conversation
  const owner = useAgentName(assigned_agent_id)
  const sending = useApiForm({
    initialValues: { assigned_agent_id, assigned_team_id },
    send: async (_, changed) =>
      dataOf(
        api.PATCH('/call-center/conversations/{id}', {
          params: { path: { id } },
          body: changed((body) => body),
        }),
      ),
    onDone: (changed) => {
      putConversation(client, changed, me?.id)
      onDone()
    },
  })
  const { form } = sending
  const agents = new Map(
    [...(first.data?.data ?? []), ...(found.data?.data ?? [])].map((one) => [
      one.id,
      `${one.display_name} (${one.username})`,
    ]),
  )
  if (assigned_agent_id && !agents.has(assigned_agent_id))
    agents.set(assigned_agent_id, owner || assigned_agent_id)
  return (
    <FormFrame api={sending} onCancel={onDone}>
      <Text size="sm" c="dimmed">
        {t('assignHint')}
      </Text>
      <Select
        label={t('agent')}
        placeholder={t('nobody')}
        data-autofocus
        searchable
        clearable
        clearButtonProps={{ 'aria-label': c('clear') }}
        limit={100}
        onSearchChange={setText}
        data={[...agents].map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('assigned_agent_id')}
      />
      <Select
        label={t('team')}
        placeholder={t('nobody')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': c('clear') }}
        data={(teams.data?.data ?? []).map(({ id: value, title }) => ({ value, label: title }))}
        {...form.getInputProps('assigned_team_id')}
      />
    </FormFrame>
  )
}
