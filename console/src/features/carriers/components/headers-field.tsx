import { Fieldset, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { FormRows } from '../../../design/form-rows'
import { useTexts } from '../../../i18n/texts'
import { settingsTexts } from '../settings-texts'
import type { CarrierValues } from './carrier-values'

const prefix = 'headers.'

/** Headers of each request: their values are secrets, so that all are written anew or none. */
export function HeadersField({
  form,
  secrets,
}: {
  form: UseFormReturnType<CarrierValues>
  secrets: readonly string[]
}) {
  const t = useTexts(settingsTexts)
  const kept = secrets.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  const { headers = [], replacesHeaders = false } = form.values.http ?? {}
  const rows = (
    <FormRows
      legend={t(kept.length === 0 ? 'headers' : 'headersNew')}
      hint={t('headersHint')}
      count={headers.length}
      most={20}
      nameOf={(number) => t('headerN', { number })}
      addLabel={t('addHeader')}
      onAdd={() => form.insertListItem('http.headers', { name: '', value: '' })}
      onRemove={(index) => form.removeListItem('http.headers', index)}
    >
      {(index) => (
        <>
          <TextInput
            label={t('header')}
            required
            spellCheck={false}
            placeholder="Authorization"
            style={{ flex: '1 1 150px' }}
            {...form.getInputProps(`http.headers.${index}.name`)}
          />
          <TextInput
            label={t('value')}
            required
            autoComplete="off"
            spellCheck={false}
            style={{ flex: '2 1 200px' }}
            {...form.getInputProps(`http.headers.${index}.value`)}
          />
        </>
      )}
    </FormRows>
  )
  if (kept.length === 0) return rows
  return (
    <>
      <Fieldset legend={t('headers')}>
        <Stack gap="sm">
          <Text size="sm">{t('headersKept', { names: kept.join(', ') })}</Text>
          <Switch
            label={t('headersReplace')}
            {...form.getInputProps('http.replacesHeaders', { type: 'checkbox' })}
          />
        </Stack>
      </Fieldset>
      {replacesHeaders && rows}
    </>
  )
}
