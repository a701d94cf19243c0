/** Custom fields of a contact: unique names and values. */
import { Autocomplete, Group, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { AddRow, RemoveRow } from '../../../design/rows'
import { useTexts } from '../../../i18n/texts'
import { contactsTexts } from '../texts'
import type { ContactValues } from './contact-values'

/** The API's limit. */
const mostFields = 50

interface CustomFieldsProps {
  form: UseFormReturnType<ContactValues>
  /** Names in other contacts. */
  known: readonly string[]
}

export function CustomFields({ form, known }: CustomFieldsProps) {
  const t = useTexts(contactsTexts)
  const { fields } = form.values
  const free = known.filter((name) => fields.every((field) => field.name !== name))
  return (
    <Stack gap="xs" role="group" aria-label={t('customFields')}>
      <Text size="sm" fw={600}>
        {t('customFields')}
      </Text>
      {fields.map((_, index) => (
        <Group key={index} gap="xs" align="flex-start" wrap="nowrap">
          <Autocomplete
            style={{ flex: 1 }}
            aria-label={t('fieldName', { number: index + 1 })}
            placeholder={t('fieldNamePlaceholder')}
            data={free}
            maxLength={64}
            {...form.getInputProps(`fields.${index}.name`)}
          />
          <TextInput
            style={{ flex: 1 }}
            aria-label={t('fieldValue', { number: index + 1 })}
            placeholder={t('fieldValuePlaceholder')}
            maxLength={500}
            {...form.getInputProps(`fields.${index}.value`)}
          />
          <RemoveRow
            label={t('removeField', { number: index + 1 })}
            onClick={() => form.removeListItem('fields', index)}
          />
        </Group>
      ))}
      {fields.length < mostFields && (
        <AddRow
          label={t('addField')}
          onClick={() => form.insertListItem('fields', { name: '', value: '' })}
        />
      )}
    </Stack>
  )
}
