/** Destination of a call and the name that it sees; with a name the number becomes an object (contract, Call-flow webhooks, 2). */
import { Stack, TextInput } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import { type Params, isRecord, paramAt, textAt, withParam } from '../model/steps'
import { stepTexts } from '../texts'
import { ReferenceField } from './reference-field'
import type { StepFieldProps } from './plain-field'

export function OperatorField({ step, errorAt, onParams }: StepFieldProps) {
  const t = useTexts(stepTexts)
  const { params } = step
  const to = {
    number: textAt(params, 'to.number') || textAt(params, 'phone_number'),
    name: textAt(params, 'to.name'),
  }
  const from = {
    number: textAt(params, 'from.number') || textAt(params, 'from'),
    name: textAt(params, 'from.name'),
  }
  return (
    <Stack gap="sm">
      <TextInput
        label={t('field_phone_number')}
        description={t('hint_phone_number')}
        withAsterisk
        value={to.number}
        error={errorAt('phone_number') ?? errorAt('to.number') ?? errorAt('to')}
        data-path="phone_number"
        onChange={({ currentTarget }) =>
          onParams(withCalled(params, { ...to, number: currentTarget.value }), 'phone_number')
        }
      />
      <TextInput
        label={t('field_toName')}
        value={to.name}
        error={errorAt('to.name')}
        data-path="to.name"
        onChange={({ currentTarget }) =>
          onParams(withCalled(params, { ...to, name: currentTarget.value }), 'to.name')
        }
      />
      <ReferenceField
        of="phone_number"
        label={t('fromCaller')}
        value={from.number}
        error={errorAt('from') ?? errorAt('from.number')}
        data-path="from"
        onChange={(number) => onParams(withCaller(params, { ...from, number: number ?? '' }), 'from')}
      />
      {from.number !== '' && (
        <TextInput
          label={t('field_callerName')}
          value={from.name}
          error={errorAt('from.name')}
          data-path="from.name"
          onChange={({ currentTarget }) =>
            onParams(withCaller(params, { ...from, name: currentTarget.value }), 'from.name')
          }
        />
      )}
    </Stack>
  )
}

interface Party {
  number: string
  name: string
}

function withCalled(params: Params, { number, name }: Party): Params {
  if (name === '') return withParam(withParam(params, 'to', undefined), 'phone_number', number)
  const before = paramAt(params, 'to')
  const others = isRecord(before) ? before : {}
  return withParam(withParam(params, 'phone_number', undefined), 'to', { ...others, number, name })
}

function withCaller(params: Params, { number, name }: Party): Params {
  if (number === '') return withParam(params, 'from', undefined)
  return withParam(params, 'from', name === '' ? number : { number, name })
}
