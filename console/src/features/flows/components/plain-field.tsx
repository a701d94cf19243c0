/** A step's setting with one value: a text, a number, a choice, or a reference. */
import { NumberInput, Select, Switch, TextInput, Textarea } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import type { Field } from '../model/step-kind'
import { type Params, type Step, paramAt, textAt, withParam } from '../model/steps'
import { stepTexts } from '../texts'
import { useEditing, useStepWords } from './editing'
import { ReferenceField } from './reference-field'

/** Props of a step's field. */
export interface StepFieldProps {
  step: Step
  /** The problem at a path of the parameters. */
  errorAt: (place: string) => string | undefined
  /**
   * Changes the parameters; consecutive edits of one path are one undo step.
   *
   * @param next the edges, if the edit renames outcomes
   */
  onParams: (params: Params, place: string, next?: Step['next']) => void
}

type Plain = Extract<Field, { kind: 'reference' | 'line' | 'text' | 'url' | 'number' | 'flag' | 'choice' }>

/** A field of one value. @param label if the path's own label is too short */
export function PlainField({
  field,
  label,
  step,
  errorAt,
  onParams,
}: StepFieldProps & { field: Plain; label?: string }) {
  const t = useTexts(stepTexts)
  const { names } = useEditing()
  const { fieldName, choiceName } = useStepWords()
  const { name } = field
  const value = paramAt(step.params, name)
  const error = errorAt(name)
  const change = (next: unknown) => onParams(withParam(step.params, name, next), name)
  const shared = { label: label ?? fieldName(name), error, 'data-path': name }
  switch (field.kind) {
    case 'reference':
      return (
        <ReferenceField
          {...shared}
          of={field.of}
          required={field.required ?? false}
          description={emptyHint(name, step.type, t)}
          value={textAt(step.params, name)}
          known={names[step.id]?.[name]}
          onChange={change}
        />
      )
    case 'number':
      return (
        <NumberInput
          {...shared}
          description={field.byDefault === 0 ? t('hint_version') : t('byDefault', { value: field.byDefault })}
          min={field.min}
          max={field.max}
          step={field.step ?? 1}
          allowDecimal={field.step !== undefined}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => change(next === '' ? undefined : Number(next))}
        />
      )
    case 'flag':
      return (
        <Switch
          {...shared}
          checked={typeof value === 'boolean' ? value : field.byDefault}
          onChange={({ currentTarget: { checked } }) =>
            change(checked === field.byDefault ? undefined : checked)
          }
        />
      )
    case 'choice':
      return (
        <Select
          {...shared}
          allowDeselect={false}
          searchable={field.values.length > 8}
          data={field.values.map((one) => ({ value: one, label: choiceName(name, one) }))}
          value={typeof value === 'string' || typeof value === 'number' ? String(value) : field.byDefault}
          onChange={(next) =>
            change(next === null || next === field.byDefault ? undefined : typed(name, next))
          }
        />
      )
    case 'text':
      return (
        <Textarea
          {...shared}
          withAsterisk={field.required ?? false}
          description={hintOf(field, t)}
          autosize
          minRows={2}
          maxRows={10}
          value={textAt(step.params, name)}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      )
    case 'line':
    case 'url':
      return (
        <TextInput
          {...shared}
          type={field.kind === 'url' ? 'url' : 'text'}
          withAsterisk={field.required ?? false}
          description={hintOf(field, t) ?? emptyHint(name, step.type, t)}
          value={textAt(step.params, name)}
          onChange={({ currentTarget }) => change(emptied(field, currentTarget.value))}
        />
      )
  }
}

/** Emptied: an optional parameter is removed, other texts become ''. */
function emptied({ required = false, hint }: { required?: boolean; hint?: string }, text: string) {
  return text === '' && !required && hint === undefined ? undefined : text
}

/** The only numeric choice. */
function typed(name: string, value: string): string | number {
  return name === 'sample_rate' ? Number(value) : value
}

type EditorWords = ReturnType<typeof useTexts<typeof stepTexts.en>>

function hintOf(field: Plain, t: EditorWords): string | undefined {
  if (!('hint' in field) || field.hint !== 'placeholders') return undefined
  return t('hint_placeholders').replace('{placeholders}', '{{…}}').replace('{example}', '{{caller_number}}')
}

/** Placeholder of an optional field: its default. */
function emptyHint(name: string, type: string, t: EditorWords): string | undefined {
  if (name === 'extension_id') return t('hint_extension_id')
  if (name === 'gateway_id') return t('hint_gateway_id')
  if (name === 'to') return t('hint_to')
  if (name === 'url' && type === 'contact_lookup') return t('hint_url_contact')
  return undefined
}
