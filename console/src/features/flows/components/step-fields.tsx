/** Settings of a step: a field for each parameter of its type. */
import { Stack } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import type { EditorName } from '../model/editors'
import type { Field } from '../model/fields'
import { errorsOf, problemAt } from '../model/problems'
import { kindOf } from '../model/step-kinds'
import type { Step } from '../model/steps'
import { BranchesField } from './branches-field'
import { ClientField } from './client-field'
import { ConditionsField } from './conditions-field'
import { useEditing } from './editing'
import { GroupField } from './group-field'
import { HeadersField } from './headers-field'
import { HoursField } from './hours-field'
import { OperatorField } from './operator-field'
import { PlainField, type StepFieldProps } from './plain-field'
import { PromptField } from './prompt-field'

/** @param field path of the parameter */
type EditorComponent = ComponentType<StepFieldProps & { field: string }>

const editors: Readonly<Record<EditorName, EditorComponent>> = {
  branches: BranchesField,
  client: ClientField,
  conditions: ConditionsField,
  headers: HeadersField,
  hours: HoursField,
  operator: OperatorField,
  prompt: PromptField,
}

export function StepFields({ step }: { step: Step }) {
  const { edit, problems, isStrict } = useEditing()
  const own = errorsOf(problems, step, isStrict)
  const props: StepFieldProps = {
    step,
    errorAt: (place) => problemAt(own, `params.${place}`),
    onParams: (params, place, next) => edit({ do: 'params', id: step.id, field: place, params, next }),
  }
  return (
    <Stack gap="sm">
      {kindOf(step.type)?.fields.map((field) => (
        <OneField key={field.name} field={field} {...props} />
      ))}
    </Stack>
  )
}

function OneField({ field, ...props }: StepFieldProps & { field: Field }): ReactNode {
  switch (field.kind) {
    case 'group':
      return (
        <GroupField field={field} {...props}>
          {field.fields.map((one) => (
            <OneField key={one.name} field={one} {...props} />
          ))}
        </GroupField>
      )
    case 'editor': {
      const Editor = Object.hasOwn(editors, field.editor) ? editors[field.editor as EditorName] : undefined
      return Editor && <Editor field={field.name} {...props} />
    }
    default:
      return <PlainField field={field} {...props} />
  }
}
