/** Settings of a version: language, DTMF handling and slow tools. */
import { Switch, TextInput } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import { voiceAgentsTexts } from '../texts'

interface Form {
  values: { tool_delay_message: string | null }
  getInputProps(field: string, options?: { type: 'checkbox' }): object
  setFieldValue(field: 'tool_delay_message', value: string | null): void
}

export function MannerFields({ form }: { form: Form }) {
  const t = useTexts(voiceAgentsTexts)
  const message = form.values.tool_delay_message
  return (
    <>
      <TextInput
        label={t('language')}
        description={t('languageHint')}
        maxLength={35}
        {...form.getInputProps('language')}
      />
      <Switch label={t('dtmf')} {...form.getInputProps('enable_dtmf', { type: 'checkbox' })} />
      <Switch
        label={t('toolDelay')}
        checked={message !== ''}
        onChange={(event) =>
          form.setFieldValue('tool_delay_message', event.currentTarget.checked ? null : '')
        }
      />
      {message !== '' && (
        <TextInput
          label={t('toolDelayMessage')}
          description={t('toolDelayHint')}
          maxLength={250}
          {...form.getInputProps('tool_delay_message')}
          value={message ?? ''}
          onChange={(event) => form.setFieldValue('tool_delay_message', event.currentTarget.value || null)}
        />
      )}
    </>
  )
}
