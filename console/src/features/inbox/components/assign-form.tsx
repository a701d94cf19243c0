import { dataOf } from '@jackfield/sdk'
import { Select, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client'
import { colleagueChoices } from '../../../api/colleagues'
import { useMe } from '../../../api/me'
import { FormFrame, useApiForm } from '../../../design/forms'
import { Picker } from '../../../design/picker'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { putConversation } from '../live-cache'
import { type Conversation, teamsQuery } from '../queries'
import { inboxTexts } from '../texts'

export function AssignForm({ conversation, onDone }: { conversation: Conversation; onDone: () => void }) {
  const t = useTexts(inboxTexts)
  const c = useTexts(common)
  const client = useQueryClient()
  const me = useMe()
  const teams = useQuery(teamsQuery)
  const { id, assigned_agent_id, assigned_team_id } = conversation
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
  return (
    <FormFrame api={sending} onCancel={onDone}>
      <Text size="sm" c="dimmed">
        {t('assignHint')}
      </Text>
      <Picker
        label={t('agent')}
        source={colleagueChoices}
        placeholder={t('unassigned')}
        data-autofocus
        clearable
        {...form.getInputProps('assigned_agent_id')}
      />
      <Select
        label={t('team')}
        placeholder={t('unassigned')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': c('clear') }}
        data={(teams.data?.data ?? []).map(({ id: value, title }) => ({ value, label: title }))}
        {...form.getInputProps('assigned_team_id')}
      />
    </FormFrame>
  )
}
