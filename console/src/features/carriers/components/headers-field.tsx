import { Fieldset, Stack, Switch, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { HeaderRow } from '../../../design/headers'
import { HeaderRows } from '../../../design/header-rows'
import { useTexts } from '../../../i18n/texts'
import { settingsTexts } from '../texts'
import type { CarrierValues } from './setting-values'

const prefix = 'headers.'

/** Headers of each request. Their values are write-only secrets, so that all of them are replaced or none. */
export function HeadersField({
  form,
  secrets,
}: {
  form: UseFormReturnType<CarrierValues>
  secrets: readonly string[]
}) {
  const t = useTexts(settingsTexts)
  const kept = secrets.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  const { settings, replacesHeaders } = form.values
  const rows = (
    <HeaderRows
      form={form}
      path="settings.headers"
      rows={settings['headers'] as HeaderRow[]}
      legend={kept.length > 0 ? t('headersNew') : undefined}
      hint={t('headersHint')}
    />
  )
  if (kept.length === 0) return rows
  return (
    <>
      <Fieldset legend={t('headers')}>
        <Stack gap="sm">
          <Text size="sm">{t('headersKept', { names: kept.join(', ') })}</Text>
          <Switch
            label={t('headersReplace')}
            {...form.getInputProps('replacesHeaders', { type: 'checkbox' })}
          />
        </Stack>
      </Fieldset>
      {replacesHeaders && rows}
    </>
  )
}
