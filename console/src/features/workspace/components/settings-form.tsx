import { dataOf } from '@jackfield/sdk'
import { Group, SimpleGrid, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { api } from '../../../api/client'
import { workspaceQuery } from '../../../api/workspace'
import { CountryField } from '../../../design/country-field'
import { Picker } from '../../../design/picker'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { gatewayChoices } from '../../trunks/queries'
import type { Profile } from '../queries'
import { workspaceTexts } from '../texts'

interface Values extends Record<string, unknown> {
  title: string
  /** Whether only agents of a call may transfer it. */
  only_involved: boolean
  country_code: string | null
  leaders_only_own_teams: boolean
  emergency_gateway_id: string | null
  away_reasons: string[]
}

function bodyOf(values: Values) {
  const { title, only_involved, country_code, leaders_only_own_teams, emergency_gateway_id } = values
  return {
    away_reasons: values.away_reasons.length > 0 ? values.away_reasons : null,
    title,
    transfers_by: only_involved ? ('involved' as const) : ('any_agent' as const),
    country_code: country_code ?? '',
    leaders_only_own_teams,
    emergency_gateway_id,
  }
}

export function SettingsForm({ profile }: { profile: Profile }) {
  const t = useTexts(workspaceTexts)
  const sending = useApiForm<Values>({
    initialValues: {
      title: profile.title,
      only_involved: profile.transfers_by === 'involved',
      country_code: profile.country_code,
      leaders_only_own_teams: profile.leaders_only_own_teams,
      emergency_gateway_id: profile.emergency_gateway_id,
      away_reasons: profile.away_reasons ?? [],
    },
    send: async (_, changed) => dataOf(api.PATCH('/profile', { body: changed(bodyOf) })),
    version: profile.updated_at,
    changes: [workspaceQuery.queryKey],
  })
  const { form } = sending
  return (
    <FormFrame api={sending} onlyChanged>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
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
        <Stack gap={4}>
          <Picker
            label={t('emergencyGateway')}
            description={t('emergencyGatewayHint', { numbers: profile.emergency_numbers.join(', ') })}
            source={gatewayChoices}
            clearable
            {...form.getInputProps('emergency_gateway_id')}
          />
          {!form.values.emergency_gateway_id && <NoEmergencyGateway />}
        </Stack>
        <TagsInput
          label={t('awayReasons')}
          description={t('awayReasonsHint')}
          maxTags={20}
          {...form.getInputProps('away_reasons')}
        />
      </SimpleGrid>
      <Switch
        label={t('ownTeams')}
        description={t('ownTeamsHint')}
        {...form.getInputProps('leaders_only_own_teams', { type: 'checkbox' })}
      />
      <Switch
        label={t('onlyInvolved')}
        description={t('onlyInvolvedHint')}
        {...form.getInputProps('only_involved', { type: 'checkbox' })}
      />
    </FormFrame>
  )
}

/** Which way such calls take now, said before one is needed. */
function NoEmergencyGateway() {
  const t = useTexts(workspaceTexts)
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <IconAlertTriangle
        size={16}
        aria-hidden
        color="var(--mantine-color-yellow-6)"
        style={{ flexShrink: 0 }}
      />
      <Text size="xs">{t('emergencyGatewayNone')}</Text>
    </Group>
  )
}
