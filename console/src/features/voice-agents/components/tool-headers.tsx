/** Headers of the request that asks the customer's server. */
import { Fieldset, Group, Stack, Text, TextInput } from '@mantine/core'
import type { ApiForm } from '../../../design/forms'
import { AddRow, RemoveRow } from '../../../design/rows'
import { useTexts } from '../../../i18n/texts'
import { voiceAgentsTexts } from '../texts'
import type { ToolValues } from './tool-values'

export function ToolHeaders({ form }: Pick<ApiForm<ToolValues>, 'form'>) {
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
