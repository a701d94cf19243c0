/** Settings of a step: a field for each parameter of its type. */
import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { problemAt } from '../model/problems'
import type { Field } from '../model/step-kind'
import { kindOf } from '../model/step-kinds'
import type { Step } from '../model/steps'
import { BranchesField } from './branches-field'
import { ClientField } from './client-field'
import { ConditionsField } from './conditions-field'
import { useEditing } from './editing'
import { HeadersField } from './headers-field'
import { HoursField } from './hours-field'
import { OperatorField } from './operator-field'
import { PlainField, type StepFieldProps } from './plain-field'
import { PromptField } from './prompt-field'
import { QueueField } from './queue-field'

export function StepFields({ step }: { step: Step }) {
  const { edit, problems } = useEditing()
  const own = problems.filter((problem) => problem.step === step.id)
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
    case 'prompt':
      return <PromptField {...props} />
    case 'operator':
      return <OperatorField {...props} />
    case 'client':
      return <ClientField {...props} />
    case 'queue':
      return <QueueField {...props} />
    case 'hours':
      return <HoursField {...props} />
    case 'conditions':
      return <ConditionsField {...props} />
    case 'branches':
      return <BranchesField {...props} />
    case 'headers':
      return <HeadersField field={field.name} {...props} />
    default:
      return <PlainField field={field} {...props} />
  }
}
