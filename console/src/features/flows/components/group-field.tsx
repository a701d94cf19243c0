/** Settings of a step that are on or off as a whole: an object that may be missing. */
import { Fieldset, Stack, Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Field } from '../model/fields'
import { isRecord, paramAt, withParam } from '../model/steps'
import { useStepWords } from './editing'
import type { StepFieldProps } from './plain-field'

interface GroupFieldProps extends Pick<StepFieldProps, 'step' | 'onParams'> {
  field: Extract<Field, { kind: 'group' }>
  children: ReactNode
}

/** @param children the fields of the group */
export function GroupField({ field: { name, required }, step, onParams, children }: GroupFieldProps) {
  const { switchName } = useStepWords()
  const isOn = required || isRecord(paramAt(step.params, name))
  return (
    <Stack gap="xs">
      {!required && (
        <Switch
          label={switchName(name, step.type)}
          checked={isOn}
          data-path={name}
          onChange={({ currentTarget: { checked } }) =>
            onParams(withParam(step.params, name, checked ? {} : undefined), name)
          }
        />
      )}
      {isOn && (
        <Fieldset p="sm">
          <Stack gap="sm">{children}</Stack>
        </Fieldset>
      )}
    </Stack>
  )
}
