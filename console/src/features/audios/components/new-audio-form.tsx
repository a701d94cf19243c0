import { dataOf, formOf } from '@jackfield/sdk'
import { FileInput, Group, Input, NumberInput, SegmentedControl, TextInput, Textarea } from '@mantine/core'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { audiosKey } from '../queries'
import { audiosTexts } from '../texts'

interface Values extends Record<string, unknown> {
  title: string
  source: 'tts' | 'upload'
  text: string
  voice: string
  speed: number | string
  file: File | null
}

export function NewAudioForm({ onDone }: { onDone: () => void }) {
  const t = useTexts(audiosTexts)
  const sending = useApiForm<Values>({
    initialValues: { title: '', source: 'tts', text: '', voice: '', speed: 1, file: null },
    send: async ({ title, source, text, voice, speed, file }) =>
      source === 'tts'
        ? dataOf(
            api.POST('/audios', {
              body: { title, text, ...(voice && { voice }), ...(typeof speed === 'number' && { speed }) },
            }),
          )
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
        <>
          <Textarea
            label={t('text')}
            description={t('textHint')}
            required
            autosize
            minRows={3}
            maxRows={12}
            {...form.getInputProps('text')}
          />
          <Group align="flex-start" grow preventGrowOverflow={false}>
            <TextInput
              label={t('voice')}
              description={t('voiceHint')}
              spellCheck={false}
              autoCapitalize="none"
              {...form.getInputProps('voice')}
            />
            <NumberInput
              label={t('speed')}
              description={t('speedHint')}
              min={0.5}
              max={2}
              step={0.1}
              decimalScale={2}
              {...form.getInputProps('speed')}
            />
          </Group>
        </>
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
