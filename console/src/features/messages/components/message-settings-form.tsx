import { dataOf } from '@jackfield/sdk'
import { Switch, TagsInput, Textarea } from '@mantine/core'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { type MessageSettings, messageSettingsKey } from '../queries'
import { messageSettingsTexts } from '../texts'

const words = ['stop_words', 'start_words', 'help_words'] as const
const replies = ['stop_reply', 'start_reply', 'help_reply'] as const

type Values = Record<(typeof words)[number], string[]> &
  Record<(typeof replies)[number], string> & { replace_look_alikes: boolean } & Record<string, unknown>

function bodyOf(values: Values) {
  return {
    ...{ stop_words: values.stop_words, start_words: values.start_words, help_words: values.help_words },
    ...{ stop_reply: values.stop_reply || null, start_reply: values.start_reply || null },
    help_reply: values.help_reply || null,
    replace_look_alikes: values.replace_look_alikes,
  }
}

/**
 * The workspace's own opt-out words and auto-replies. An empty reply is the default; where the API has
 * switched a reply off, it stays off until a new one is written.
 */
export function MessageSettingsForm({ settings, onDone }: { settings: MessageSettings; onDone: () => void }) {
  const t = useTexts(messageSettingsTexts)
  const sending = useApiForm<Values>({
    initialValues: {
      ...{ stop_words: settings.stop_words, start_words: settings.start_words },
      ...{ help_words: settings.help_words, stop_reply: settings.stop_reply ?? '' },
      ...{ start_reply: settings.start_reply ?? '', help_reply: settings.help_reply ?? '' },
      replace_look_alikes: settings.replace_look_alikes,
    },
    send: async (_, changed) => dataOf(api.PATCH('/message-settings', { body: changed(bodyOf) })),
    changes: [messageSettingsKey],
    onDone,
  })
  const { form } = sending
  return (
    <FormFrame api={sending} onCancel={onDone}>
      {words.map((name) => (
        <TagsInput key={name} label={t(name)} description={t(`${name}_hint`)} {...form.getInputProps(name)} />
      ))}
      {replies.map((name) => (
        <Textarea
          key={name}
          label={t(name)}
          description={t(settings[name] === '' ? 'no_reply_hint' : 'reply_hint', { number: '{{number}}' })}
          autosize
          minRows={2}
          maxRows={6}
          {...form.getInputProps(name)}
        />
      ))}
      <Switch
        label={t('replace_look_alikes')}
        description={t('replace_look_alikes_hint')}
        {...form.getInputProps('replace_look_alikes', { type: 'checkbox' })}
      />
    </FormFrame>
  )
}
