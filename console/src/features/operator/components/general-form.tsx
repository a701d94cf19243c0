import { dataOf } from '@jackfield/sdk'
import { SimpleGrid, TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { workspacesKey } from '../../../api/platform'
import { CountryField } from '../../../design/country-field'
import { Facts } from '../../../design/facts'
import { FormFrame, useApiForm } from '../../../design/forms'
import { Copyable } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { Workspace } from '../queries'
import { workspacesTexts } from '../texts'

/** What a workspace is called, and where it is. */
export function GeneralForm({
  workspace: { id, title, country_code, updated_at },
}: {
  workspace: Workspace
}) {
  const t = useTexts(workspacesTexts)
  const sending = useApiForm({
    initialValues: { title, country_code },
    send: async (_, changed) =>
      dataOf(api.PATCH('/workspaces/{id}', { params: { path: { id } }, body: changed((values) => values) })),
    version: updated_at,
    changes: [workspacesKey],
  })
  const { form } = sending
  return (
    <FormFrame api={sending} onlyChanged>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={t('title')} required {...form.getInputProps('title')} />
        <CountryField
          label={t('country')}
          required
          allowDeselect={false}
          {...form.getInputProps('country_code')}
        />
      </SimpleGrid>
      <Facts facts={[[t('id'), <Copyable key="id" value={id} what={t('id')} />]]} />
    </FormFrame>
  )
}
