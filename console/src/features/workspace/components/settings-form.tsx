import { dataOf } from '@jackfield/sdk'
import { NumberInput, SimpleGrid, TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { workspaceQuery } from '../../../api/workspace'
import { CountryField } from '../../../design/country-field'
import { figureOf } from '../../../design/form-values'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import type { Profile } from '../queries'
import { workspaceTexts } from '../texts'

interface Values extends Record<string, unknown> {
  title: string
  country_code: string | null
  /** '' where nothing stands in the field. */
  recording_retention_days: number | string
}

function bodyOf({ title, country_code, recording_retention_days: days }: Values) {
  return {
    title,
    country_code: country_code ?? '',
    recording_retention_days: figureOf(days),
  }
}

export function SettingsForm({ profile }: { profile: Profile }) {
  const t = useTexts(workspaceTexts)
  const sending = useApiForm<Values>({
    initialValues: {
      title: profile.title,
      country_code: profile.country_code,
      recording_retention_days: profile.recording_retention_days ?? '',
    },
    send: async (_, changed) => dataOf(api.PATCH('/profile', { body: changed(bodyOf) })),
    version: profile.updated_at,
    changes: [workspaceQuery.queryKey],
  })
  const { form } = sending
  return (
    <FormFrame api={sending} onlyChanged>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          required
          maxLength={64}
          {...form.getInputProps('title')}
        />
        <CountryField
          label={t('country')}
          description={t('countryHint')}
          required
          allowDeselect={false}
          {...form.getInputProps('country_code')}
        />
        <NumberInput
          label={t('retention')}
          description={t('retentionHint')}
          allowDecimal={false}
          allowNegative={false}
          {...form.getInputProps('recording_retention_days')}
        />
      </SimpleGrid>
    </FormFrame>
  )
}
