import { NumberInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { Picker } from '../../../design/picker'
import { useTexts } from '../../../i18n/texts'
import { callerIdChoices } from '../../numbers/queries'
import { sipAccountsTexts } from '../texts'

/** Outbound settings of an account, in the create and edit forms. */
export function OutsideFields<Values extends Record<string, unknown>>({
  form,
}: {
  form: UseFormReturnType<Values>
}) {
  const t = useTexts(sipAccountsTexts)
  return (
    <>
      <Picker
        label={t('callerId')}
        description={t('callerIdHint')}
        source={callerIdChoices}
        clearable
        {...form.getInputProps('outbound_caller_id')}
      />
      <NumberInput
        label={t('mostCalls')}
        description={t('mostCallsHint')}
        allowDecimal={false}
        {...form.getInputProps('max_concurrent_calls')}
      />
    </>
  )
}

/** An emptied number field holds ''. */
export function callsOf(value: number | ''): number | null {
  return value === '' ? null : value
}
