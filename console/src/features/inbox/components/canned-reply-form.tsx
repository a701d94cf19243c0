import { dataOf } from '@jackfield/sdk'
import { TextInput, Textarea } from '@mantine/core'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { type CannedReply, cannedRepliesKey } from '../queries'
import { cannedTexts } from '../texts'

/** @param reply the one to edit; without it a new one is created */
export function CannedReplyForm({ reply, onDone }: { reply: CannedReply | null; onDone: () => void }) {
  const t = useTexts(cannedTexts)
  const sending = useApiForm({
    initialValues: { title: reply?.title ?? '', body: reply?.body ?? '' },
    send: async (values, changed): Promise<CannedReply> =>
      reply
        ? dataOf(
            api.PATCH('/call-center/canned-replies/{id}', {
              params: { path: { id: reply.id } },
              body: changed((body) => body),
            }),
          )
        : dataOf(api.POST('/call-center/canned-replies', { body: values })),
    changes: [cannedRepliesKey],
    onDone,
  })
  const { form } = sending
  return (
    <FormFrame api={sending} onCancel={onDone}>
      <TextInput label={t('what')} data-autofocus {...form.getInputProps('title')} />
      <Textarea
        label={t('body')}
        description={t('bodyHint')}
        autosize
        minRows={4}
        maxRows={12}
        maxLength={1_600}
        {...form.getInputProps('body')}
      />
    </FormFrame>
  )
}
