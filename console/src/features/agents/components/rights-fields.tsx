import { Select, Switch } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTexts } from '../../../i18n/texts'
import { agentsTexts } from '../texts'

/** What an agent may do, in either form. */
export function RightsFields<Values extends Record<string, unknown>>({
  form,
}: {
  form: UseFormReturnType<Values>
}) {
  const t = useTexts(agentsTexts)
  return (
    <>
      <Select
        label={t('role')}
        description={t('leaderHint')}
        allowDeselect={false}
        data={[
          { value: 'member', label: t('member') },
          { value: 'leader', label: t('leader') },
          { value: 'supervisor', label: t('supervisor') },
        ]}
        {...form.getInputProps('role')}
      />
      <Switch
        label={t('admin')}
        description={t('adminHint')}
        {...form.getInputProps('is_admin', { type: 'checkbox' })}
      />
    </>
  )
}
