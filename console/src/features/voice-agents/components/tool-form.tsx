import { dataOf } from '@jackfield/sdk'
import {
  Checkbox,
  Fieldset,
  Group,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
  Textarea,
} from '@mantine/core'
import { api } from '../../../api/client'
import { type ApiForm, FormFrame, useApiForm } from '../../../design/forms'
import { AddRow, RemoveRow } from '../../../design/rows'
import { useTexts } from '../../../i18n/texts'
import { type Tool, type ToolParameter, voiceAgentKey } from '../queries'
import { voiceAgentsTexts } from '../texts'

interface ParameterRow {
  name: string
  type: ToolParameter['type']
  description: string
  /** The only values; none: any. */
  values: string[]
  required: boolean
}

interface Values extends Record<string, unknown> {
  name: string
  description: string
  webhook_url: string
  webhook_method: Tool['webhook_method']
  headers: { name: string; value: string }[]
  parameters: ParameterRow[]
  is_active: boolean
}

const methods: Tool['webhook_method'][] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const types: ToolParameter['type'][] = ['string', 'number', 'integer', 'boolean', 'array', 'object']

const newParameter: ParameterRow = {
  ...{ name: '', type: 'string', description: '', values: [], required: true },
}

function valuesOf(tool: Tool | null): Values {
  return {
    name: tool?.name ?? '',
    description: tool?.description ?? '',
    webhook_url: tool?.webhook_url ?? '',
    webhook_method: tool?.webhook_method ?? 'POST',
    headers: Object.entries(tool?.webhook_headers ?? {}).map(([name, value]) => ({ name, value })),
    parameters: Object.entries(tool?.parameters ?? {}).map(([name, parameter]) => ({
      ...{ name, type: parameter.type, description: parameter.description ?? '' },
      ...{ values: parameter.enum ?? [], required: parameter.required ?? false },
    })),
    is_active: tool?.is_active ?? true,
  }
}

function bodyOf({ headers, parameters, ...values }: Values) {
  return {
    ...values,
    webhook_headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
    parameters: Object.fromEntries(
      parameters.map(({ name, type, description, values: only, required }) => [
        name,
        { type, description, required, ...(type === 'string' && only.length > 0 && { enum: only }) },
      ]),
    ),
    required_params: parameters.filter(({ required }) => required).map(({ name }) => name),
  }
}

/** A custom tool. @param tool null: a new one */
export function ToolForm({ id, tool, onDone }: { id: string; tool: Tool | null; onDone: () => void }) {
  const t = useTexts(voiceAgentsTexts)
  const sending: ApiForm<Values> = useApiForm<Values>({
    initialValues: valuesOf(tool),
    send: async (values) => {
      const body = bodyOf(values)
      return tool
        ? dataOf(
            api.PATCH('/voice-agents/{id}/tools/{toolId}', {
              params: { path: { id, toolId: tool.id } },
              body,
            }),
          )
        : dataOf(api.POST('/voice-agents/{id}/tools', { params: { path: { id } }, body }))
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
      <Headers form={form} />
      <Parameters form={form} />
      <Switch label={t('toolIsOn')} {...form.getInputProps('is_active', { type: 'checkbox' })} />
    </FormFrame>
  )
}

/** `parameters.order.description` of the API is that of the row that is called `order`. */
function fieldOf(field: string, { headers, parameters }: Values): string {
  const [group, name, part] = field.split('.')
  if (group === 'parameters' && name !== undefined) {
    const index = parameters.findIndex((row) => row.name === name)
    return index < 0 ? field : `parameters.${index}.${part === 'enum' ? 'values' : (part ?? 'name')}`
  }
  if (group === 'webhook_headers' && name !== undefined) {
    const index = headers.findIndex((row) => row.name === name)
    return index < 0 ? field : `headers.${index}.value`
  }
  return field
}

function Headers({ form }: Pick<ApiForm<Values>, 'form'>) {
  const t = useTexts(voiceAgentsTexts)
  return (
    <Fieldset legend={t('headers')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('headersHint')}
        </Text>
        {form.values.headers.map((_, index) => (
          <Group key={index} align="flex-end" gap="xs">
            <TextInput
              label={t('headerName', { number: index + 1 })}
              style={{ flex: '1 1 140px' }}
              {...form.getInputProps(`headers.${index}.name`)}
            />
            <TextInput
              label={t('headerValue', { number: index + 1 })}
              style={{ flex: '2 1 140px' }}
              {...form.getInputProps(`headers.${index}.value`)}
            />
            <RemoveRow
              label={t('removeHeader', { number: index + 1 })}
              onClick={() => form.removeListItem('headers', index)}
            />
          </Group>
        ))}
        <AddRow
          label={t('addHeader')}
          onClick={() => form.insertListItem('headers', { name: '', value: '' })}
        />
      </Stack>
    </Fieldset>
  )
}

function Parameters({ form }: Pick<ApiForm<Values>, 'form'>) {
  const t = useTexts(voiceAgentsTexts)
  return (
    <Fieldset legend={t('parameters')}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('parametersHint')}
        </Text>
        {form.values.parameters.map(({ type }, index) => (
          <Fieldset key={index} legend={t('parameter', { number: index + 1 })}>
            <Stack gap="xs">
              <Group align="flex-end" gap="xs">
                <TextInput
                  label={t('name')}
                  style={{ flex: '2 1 140px' }}
                  {...form.getInputProps(`parameters.${index}.name`)}
                />
                <Select
                  label={t('type')}
                  data={types.map((value) => ({ value, label: t(`type_${value}`) }))}
                  allowDeselect={false}
                  style={{ flex: '1 1 110px' }}
                  {...form.getInputProps(`parameters.${index}.type`)}
                />
                <RemoveRow
                  label={t('removeParameter', { number: index + 1 })}
                  onClick={() => form.removeListItem('parameters', index)}
                />
              </Group>
              <TextInput
                label={t('parameterDescription')}
                {...form.getInputProps(`parameters.${index}.description`)}
              />
              {type === 'string' && (
                <TagsInput
                  label={t('onlyValues')}
                  description={t('onlyValuesHint')}
                  {...form.getInputProps(`parameters.${index}.values`)}
                />
              )}
              <Checkbox
                label={t('required')}
                {...form.getInputProps(`parameters.${index}.required`, { type: 'checkbox' })}
              />
            </Stack>
          </Fieldset>
        ))}
        <AddRow label={t('addParameter')} onClick={() => form.insertListItem('parameters', newParameter)} />
      </Stack>
    </Fieldset>
  )
}
