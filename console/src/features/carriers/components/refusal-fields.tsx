import { Fieldset, Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { SettingFields } from '../../../design/setting-fields'
import { useTexts } from '../../../i18n/texts'
import { settingsTexts } from '../texts'
import type { CarrierValues } from './carrier-values'
import { useSettingWords } from './setting-words'
import { refusalMeanings } from './words-by-meaning'

interface RefusalFieldsProps {
  form: UseFormReturnType<CarrierValues>
  kind: 'smpp' | 'http'
}

/** The carrier's own error codes, by what Jackfield does with the message. */
export function RefusalFields({ form, kind }: RefusalFieldsProps) {
  const t = useTexts(settingsTexts)
  const codes = useSettingWords(`${kind}.refusals`).field
  return (
    <Fieldset legend={t('refusals')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t(kind === 'http' ? 'refusalsHintHttp' : 'refusalsHintSmpp')}
        </Text>
        <SettingFields
          form={form}
          fields={refusalMeanings.map((meaning) => ({ ...codes(meaning), kind: 'tags' }))}
        />
      </Stack>
    </Fieldset>
  )
}
