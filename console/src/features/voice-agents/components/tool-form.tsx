import { dataOf } from '@jackfield/sdk'
import { Select, Switch, TextInput, Textarea } from '@mantine/core'
import { useEffect } from 'react'
import { api } from '../../../api/client'
import { isChanged } from '../../../design/form-values'
import { type ApiForm, FormFrame, useApiForm } from '../../../design/forms'
import { HeaderRows } from '../../../design/header-rows'
import { isHeaderTwice } from '../../../design/headers'
import { isTwice } from '../../../design/twice'
import { useTexts } from '../../../i18n/texts'
import { type Tool, voiceAgentKey } from '../queries'
import { voiceAgentsTexts } from '../texts'
import { ToolParameters } from './tool-parameters'
import { type ToolValues, bodyOf, fieldOf, methods, valuesOf } from './tool-values'

interface ToolFormProps {
  id: string
  /** Null: a new one. */
  tool: Tool | null
  onDone: () => void
  /** Receives a function that returns whether there are unsaved changes. */
  onChanged: (hasChanged: () => boolean) => void
}

/** A custom tool. */
export function ToolForm({ id, tool, onDone, onChanged }: ToolFormProps) {
  const t = useTexts(voiceAgentsTexts)
  const sending: ApiForm<ToolValues> = useApiForm<ToolValues>({
    initialValues: valuesOf(tool),
    validate: {
      headers: {
        name: (_, { headers }, path) => (isHeaderTwice(headers, path) ? t('nameTwice') : null),
      },
      parameters: {
        name: (_, { parameters }, path) =>
          isTwice(
            parameters.map(({ name }) => name),
            path,
          )
            ? t('nameTwice')
            : null,
      },
    },
    send: async (values, changed) => {
      if (!tool) {
        const body = bodyOf(values)
        return dataOf(api.POST('/voice-agents/{id}/tools', { params: { path: { id } }, body }))
      }
      return dataOf(
        api.PATCH('/voice-agents/{id}/tools/{toolId}', {
          params: { path: { id, toolId: tool.id } },
          body: changed(bodyOf),
        }),
      )
    },
    changes: [voiceAgentKey(id)],
    onDone,
    fieldOf: (field) => fieldOf(field, sending.form.getValues()),
  })
  const { form } = sending
  useEffect(() => {
    onChanged(() => isChanged(form))
  })
  return (
    <FormFrame api={sending} onCancel={onDone}>
      <TextInput
        label={t('toolName')}
        description={t('toolNameHint')}
        required
        maxLength={64}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Textarea
        label={t('toolDescription')}
        description={t('toolDescriptionHint')}
        required
        autosize
        maxLength={1000}
        {...form.getInputProps('description')}
      />
      <TextInput
        label={t('webhookUrl')}
        description={t('webhookUrlHint')}
        type="url"
        required
        {...form.getInputProps('webhook_url')}
      />
      <Select
        label={t('method')}
        data={methods}
        allowDeselect={false}
        {...form.getInputProps('webhook_method')}
      />
      <HeaderRows form={form} rows={form.values.headers} hint={t('headersHint')} />
      <ToolParameters form={form} />
      <Switch label={t('toolIsOn')} {...form.getInputProps('is_active', { type: 'checkbox' })} />
    </FormFrame>
  )
}
