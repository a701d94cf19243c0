import { Fieldset, Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { Fragment } from 'react'
import { type SettingField, SettingFields } from '../../../design/setting-fields'
import { type Translate, useTexts } from '../../../i18n/texts'
import type { Field, Kind } from '../kinds'
import { settingsTexts } from '../texts'
import { HeadersField } from './headers-field'
import { numberPlans, numberTypes } from './number-types'
import type { CarrierValues } from './setting-values'

type SettingsTexts = (typeof settingsTexts)['en']

/** Every setting of a kind, in its sections. */
export function KindFields({
  kind,
  form,
  secrets,
}: {
  kind: Kind
  form: UseFormReturnType<CarrierValues>
  secrets: readonly string[]
}) {
  const t = useTexts(settingsTexts)
  return kind.sections.map(({ title, hint, fields }) => {
    const [headers, plain] = [true, false].map((isHeaders) =>
      fields.filter(({ type }) => (type === 'headers') === isHeaders),
    )
    return (
      <Fragment key={title}>
        {headers?.map(({ path }) => (
          <HeadersField key={path} form={form} secrets={secrets} />
        ))}
        {plain && plain.length > 0 && (
          <Fieldset legend={t(title)}>
            <Stack gap="sm">
              {hint && (
                <Text size="sm" c="dimmed">
                  {t(hint)}
                </Text>
              )}
              <SettingFields
                form={form}
                fields={plain.flatMap((field) => inputsOf(field, 'settings', t, secrets))}
              />
            </Stack>
          </Fieldset>
        )}
      </Fragment>
    )
  })
}

/** Inputs of a setting. @param at path of the settings in the form */
export function inputsOf(
  field: Field,
  at: string,
  t: Translate<SettingsTexts>,
  secrets: readonly string[] = [],
): SettingField[] {
  const { label, required = false, choices = [] } = field
  const path = `${at}.${field.path}`
  const hint = field.hint ?? hintOf(label)
  const shared = { path, label: t(label), required, ...(hint && { hint: t(hint) }) }
  const asItIs = field.nullable ? [{ value: '', label: t('asItIs') }] : []
  switch (field.type) {
    case 'secret':
      return [{ ...shared, kind: 'secret', isKept: secrets.includes(field.path) }]
    case 'choice':
      return [
        {
          ...{ ...shared, kind: 'choice' },
          choices: choices.map(({ value, label: word }) => ({ value, label: word ? t(word) : value })),
        },
      ]
    case 'ton':
      return [{ ...shared, kind: 'choice', choices: [...asItIs, ...numberTypes] }]
    case 'npi':
      return [{ ...shared, kind: 'choice', choices: [...asItIs, ...numberPlans] }]
    case 'meanings':
      return choices.map(({ value, label: word }) => ({
        ...{ path: `${path}.${value}`, kind: 'tags' },
        label: word ? t(word) : value,
      }))
    case 'headers':
      return []
    default:
      return [{ ...shared, kind: field.type }]
  }
}

/** The text below a field, if it has one. */
function hintOf(label: Field['label']): Field['hint'] {
  const key = `${label}Hint`
  return key in settingsTexts.en ? (key as Field['hint']) : undefined
}
