/** A step's setting with one value: a text, a number, a choice, or a reference. */
import { NumberInput, Select, Switch, TextInput, Textarea } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import type { Field } from '../model/fields'
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

export type Plain = Exclude<Field, { kind: 'group' | 'editor' }>

/** A field of one value. */
export function PlainField({ field, step, errorAt, onParams }: StepFieldProps & { field: Plain }) {
  const t = useTexts(stepTexts)
  const { names } = useEditing()
  const { fieldName, fieldHint, choiceName } = useStepWords()
  const { name } = field
  const value = paramAt(step.params, name)
  const error = errorAt(name)
  const change = (next: unknown) => onParams(withParam(step.params, name, next), name)
  const shared = { label: fieldName(name, step.type), error, 'data-path': name }
  const hint = fieldHint(name, step.type)
  switch (field.kind) {
    case 'reference':
      return (
        <ReferenceField
          {...shared}
          of={field.of}
          required={field.required}
          description={hint}
          value={textAt(step.params, name)}
          known={names[step.id]?.[name]}
          onChange={change}
        />
      )
    case 'number':
      return (
        <NumberInput
          {...shared}
          description={hint ?? (field.byDefault !== undefined && t('byDefault', { value: field.byDefault }))}
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
          data={field.values.map((one) => ({ value: String(one), label: choiceName(name, String(one)) }))}
          value={isChosen(value) ? String(value) : textOf(field.byDefault)}
          onChange={(next) => {
            const chosen = field.values.find((one) => String(one) === next)
            change(chosen === field.byDefault ? undefined : chosen)
          }}
        />
      )
    case 'text':
      return (
        <Textarea
          {...shared}
          withAsterisk={isNeeded(field)}
          description={field.placeholders ? placeholdersHint(t) : hint}
          autosize
          minRows={2}
          maxRows={10}
          value={textAt(step.params, name)}
          onChange={({ currentTarget }) => change(emptied(field, currentTarget.value))}
        />
      )
    case 'line':
    case 'url':
      return (
        <TextInput
          {...shared}
          type={field.kind === 'url' ? 'url' : 'text'}
          withAsterisk={isNeeded(field)}
          description={field.placeholders ? placeholdersHint(t) : hint}
          value={textAt(step.params, name)}
          onChange={({ currentTarget }) => change(emptied(field, currentTarget.value))}
        />
      )
  }
}

/** Emptied: an optional parameter is removed, other texts become ''. */
function emptied({ required }: Plain, text: string) {
  return text === '' && !required ? undefined : text
}

function isNeeded({ required, mayBeEmpty }: { required: boolean; mayBeEmpty: boolean }): boolean {
  return required && !mayBeEmpty
}

function isChosen(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function textOf(value: string | number | undefined): string | null {
  return value === undefined ? null : String(value)
}

function placeholdersHint(t: ReturnType<typeof useTexts<typeof stepTexts.en>>): string {
  return t('hint_placeholders').replace('{placeholders}', '{{…}}').replace('{example}', '{{caller_number}}')
}
