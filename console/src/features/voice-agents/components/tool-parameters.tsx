/** Parameters of a tool, which the model fills in. */
import { Checkbox, Fieldset, Group, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import type { ApiForm } from '../../../design/forms'
import { AddRow, RemoveRow } from '../../../design/rows'
import { useTexts } from '../../../i18n/texts'
import type { ToolParameter } from '../queries'
import { voiceAgentsTexts } from '../texts'
import type { ParameterRow, ToolValues } from './tool-values'

const types: ToolParameter['type'][] = ['string', 'number', 'integer', 'boolean', 'array', 'object']

const newParameter: ParameterRow = {
  ...{ name: '', type: 'string', description: '', values: [], required: true },
}

export function ToolParameters({ form }: Pick<ApiForm<ToolValues>, 'form'>) {
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
