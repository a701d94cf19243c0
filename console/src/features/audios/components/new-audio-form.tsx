import { dataOf, formOf } from '@jackfield/sdk'
import { FileInput, Input, SegmentedControl, TextInput, Textarea } from '@mantine/core'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { audiosKey } from '../queries'
import { audiosTexts } from '../texts'

interface Values extends Record<string, unknown> {
  title: string
  source: 'tts' | 'upload'
  text: string
  file: File | null
}

export function NewAudioForm({ onDone }: { onDone: () => void }) {
  const t = useTexts(audiosTexts)
  const sending = useApiForm<Values>({
    initialValues: { title: '', source: 'tts', text: '', file: null },
    send: async ({ title, source, text, file }) =>
      source === 'tts'
        ? dataOf(api.POST('/audios', { body: { title, text } }))
        : dataOf(
            api.POST('/audios', {
              body: formOf<{ file?: string }>({ ...(title && { title }), file: file ?? new Blob() }),
            }),
          ),
    changes: [audiosKey],
    onDone,
  })
  const { form } = sending
  return (
    <FormFrame api={sending} action={t('add')} onCancel={onDone}>
      <TextInput label={t('titleField')} required data-autofocus {...form.getInputProps('title')} />
      <Input.Wrapper label={t('source')} labelElement="div">
        <div>
          <SegmentedControl
            aria-label={t('source')}
            data={[
              { value: 'tts', label: t('tts') },
              { value: 'upload', label: t('upload') },
            ]}
            {...form.getInputProps('source')}
          />
        </div>
      </Input.Wrapper>
      {form.values.source === 'tts' ? (
        <Textarea
          label={t('text')}
          description={t('textHint')}
          required
          autosize
          minRows={3}
          maxRows={12}
          {...form.getInputProps('text')}
        />
      ) : (
        <FileInput
          label={t('file')}
          description={t('fileHint')}
          placeholder={t('chooseFile')}
          required
          clearable
          accept="audio/wav,audio/x-wav,audio/mpeg,audio/ogg,.wav,.mp3,.ogg"
          {...form.getInputProps('file')}
        />
      )}
    </FormFrame>
  )
}
