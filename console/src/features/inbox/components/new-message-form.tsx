import { dataOf } from '@jackfield/sdk'
import { Alert, Select, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client'
import { e164 } from '../../../api/e164'
import { newKey } from '../../../api/idempotency'
import { agentUploads, useAttachments } from '../../../api/uploads'
import { FormFrame, useApiForm } from '../../../design/forms'
import { MessageText } from '../../../design/message-text'
import { Answered } from '../../../design/page'
import { useSpacedNumbers } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { listsKey, messagesKey, textingNumbersQuery } from '../queries'
import { inboxTexts } from '../texts'

interface Props {
  /** Called with the id of the conversation. */
  onDone: (conversationId: string) => void
  onCancel: () => void
}

/** Starts a conversation with a client. */
export function NewMessageForm(props: Props) {
  const t = useTexts(inboxTexts)
  const query = useQuery(textingNumbersQuery)
  return (
    <Answered query={query}>
      {(numbers) =>
        numbers.length === 0 ? (
          <Alert color="yellow">{t('noNumbers')}</Alert>
        ) : (
          <Fields {...props} numbers={numbers.map(({ number }) => e164(number))} />
        )
      }
    </Answered>
  )
}

function Fields({ numbers, onDone, onCancel }: Props & { numbers: readonly string[] }) {
  const t = useTexts(inboxTexts)
  const client = useQueryClient()
  // One key for all tries of this form: a lost response must not send the message twice.
  const [key] = useState(newKey)
  const attachments = useAttachments(agentUploads)
  const sending = useApiForm({
    initialValues: { from: numbers[0] ?? '', client_number: '', body: '' },
    phoneNumbers: ['client_number'],
    send: async ({ from, client_number, body }) => {
      const media_urls = [...attachments.urls]
      return dataOf(
        api.POST('/call-center/conversations', {
          params: { header: { 'Idempotency-Key': key } },
          body: { from, client_number, body, media_urls },
        }),
      )
    },
    done: '',
    onDone: ({ conversation }) => {
      void client.invalidateQueries({ queryKey: listsKey })
      void client.invalidateQueries({ queryKey: messagesKey(conversation.id) })
      onDone(conversation.id)
    },
  })
  const { form } = sending
  const labels = useSpacedNumbers(numbers)
  return (
    <FormFrame api={sending} action={t('send')} onCancel={onCancel} disabled={!attachments.isComplete}>
      <Select
        label={t('from')}
        description={t('fromHint')}
        data={numbers.map((value, index) => ({ value, label: labels[index] ?? value }))}
        searchable={numbers.length > 8}
        allowDeselect={false}
        {...form.getInputProps('from')}
      />
      <TextInput
        label={t('to')}
        description={t('toHint')}
        type="tel"
        required
        data-autofocus
        {...form.getInputProps('client_number')}
      />
      <MessageText
        label={t('write')}
        attachments={attachments}
        {...form.getInputProps('body')}
        value={form.values.body}
      />
    </FormFrame>
  )
}
