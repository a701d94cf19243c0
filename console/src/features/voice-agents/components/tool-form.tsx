import { dataOf } from '@jackfield/sdk'
import { Select, Switch, TextInput, Textarea } from '@mantine/core'
import { api } from '../../../api/client'
import { type ApiForm, FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { type Tool, voiceAgentKey } from '../queries'
import { voiceAgentsTexts } from '../texts'
import { ToolHeaders } from './tool-headers'
import { ToolParameters } from './tool-parameters'
import { type ToolValues, bodyOf, fieldOf, methods, valuesOf } from './tool-values'

/** A custom tool. @param tool null: a new one */
export function ToolForm({ id, tool, onDone }: { id: string; tool: Tool | null; onDone: () => void }) {
  const t = useTexts(voiceAgentsTexts)
  const sending: ApiForm<ToolValues> = useApiForm<ToolValues>({
    initialValues: valuesOf(tool),
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
      <ToolHeaders form={form} />
      <ToolParameters form={form} />
      <Switch label={t('toolIsOn')} {...form.getInputProps('is_active', { type: 'checkbox' })} />
    </FormFrame>
  )
}
