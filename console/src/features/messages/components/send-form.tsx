import { dataOf } from '@jackfield/sdk'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client'
import { newKey } from '../../../api/idempotency'
import { adminUploads, useAttachments } from '../../../api/uploads'
import { FormFrame, useApiForm } from '../../../design/forms'
import { MessageText } from '../../../design/message-text'
import { Picker } from '../../../design/picker'
import { useTexts } from '../../../i18n/texts'
import { type SentMessage, messagesKey, senderChoices } from '../queries'
import { messagesTexts } from '../texts'

interface Values extends Record<string, unknown> {
  from: string | null
  to: string
  body: string
}

interface SendFormProps {
  onDone: (message: SentMessage) => void
  onCancel: () => void
}

export function SendForm({ onDone, onCancel }: SendFormProps) {
  const t = useTexts(messagesTexts)
  // One key for all tries of this form: a lost response must not send the message twice.
  const [key] = useState(newKey)
  const attachments = useAttachments(adminUploads)
  const sending = useApiForm<Values, SentMessage>({
    initialValues: { from: null, to: '', body: '' },
    phoneNumbers: ['to'],
    send: async ({ from, to, body }) => {
      const media_urls = [...attachments.urls]
      return dataOf(
        api.POST('/messages/send', {
          params: { header: { 'Idempotency-Key': key } },
          body: { from: from ?? '', to, body, media_urls },
        }),
      )
    },
    changes: [messagesKey],
    done: t('sentDone'),
    onDone,
  })
  const { form } = sending
  return (
    <FormFrame api={sending} action={t('send')} onCancel={onCancel} disabled={!attachments.isComplete}>
      <Picker
        label={t('from')}
        description={t('fromHint')}
        required
        data-autofocus
        source={senderChoices}
        {...form.getInputProps('from')}
      />
      <TextInput
        label={t('to')}
        description={t('toHint')}
        type="tel"
        required
        {...form.getInputProps('to')}
      />
      <MessageText
        label={t('body')}
        attachments={attachments}
        {...form.getInputProps('body')}
        value={form.values.body}
      />
    </FormFrame>
  )
}
