/** A user of a customer's app: `sub`; the API takes `client` as well. */
import { TextInput } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import { textAt, withParam } from '../model/steps'
import { stepTexts } from '../texts'
import type { StepFieldProps } from './plain-field'

export function ClientField({ step: { params }, errorAt, onParams }: StepFieldProps) {
  const t = useTexts(stepTexts)
  return (
    <TextInput
      label={t('field_sub')}
      description={t('hint_sub')}
      withAsterisk
      value={textAt(params, 'sub') || textAt(params, 'client')}
      error={errorAt('sub') ?? errorAt('client')}
      data-path="sub"
      onChange={({ currentTarget }) =>
        onParams(withParam(withParam(params, 'client', undefined), 'sub', currentTarget.value), 'sub')
      }
    />
  )
}
