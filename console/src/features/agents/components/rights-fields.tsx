import { Select, Switch } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTexts } from '../../../i18n/texts'
import { roleWords } from '../../presence/texts'
import { agentsTexts } from '../texts'

/** Rights of an agent, in the create and edit forms. */
export function RightsFields<Values extends Record<string, unknown>>({
  form,
}: {
  form: UseFormReturnType<Values>
}) {
  const t = useTexts(agentsTexts)
  const words = useTexts(roleWords)
  return (
    <>
      <Select
        label={t('role')}
        description={t('leaderHint')}
        allowDeselect={false}
        data={[
          { value: 'member', label: words('member') },
          { value: 'leader', label: words('leader') },
          { value: 'supervisor', label: words('supervisor') },
        ]}
        {...form.getInputProps('role')}
      />
      <Switch
        label={words('admin')}
        description={t('adminHint')}
        {...form.getInputProps('is_admin', { type: 'checkbox' })}
      />
    </>
  )
}
