/** Conditions of a step. */
import { Autocomplete, Input, Select, Stack, TextInput } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import { textAt, withParam } from '../model/steps'
import { stepTexts } from '../texts'
import { useStepWords } from './editing'
import { Rows, rowsIn } from './rows'
import type { StepFieldProps } from './plain-field'

interface Condition {
  subject: string
  operator: string
  value?: string | undefined
}

const operators = ['equals', 'not_equals', 'starts_with', 'ends_with', 'contains', 'is_set', 'is_not_set']
const unary = ['is_set', 'is_not_set']

/** Subjects without a name of their own. */
const subjects = ['caller_number', 'called_number', 'digits', 'contact.name', 'variable.']

export function ConditionsField({ step, errorAt, onParams }: StepFieldProps) {
  const t = useTexts(stepTexts)
  const { choiceName } = useStepWords()
  const conditions = rowsIn<Condition>(step.params['conditions'])
  return (
    <Stack gap="sm">
      <Select
        label={t('field_match')}
        allowDeselect={false}
        data={[
          { value: 'all', label: t('match_all') },
          { value: 'any', label: t('match_any') },
        ]}
        value={textAt(step.params, 'match') || 'all'}
        error={errorAt('match')}
        data-path="match"
        onChange={(match) =>
          onParams(withParam(step.params, 'match', match === 'any' ? match : undefined), 'match')
        }
      />
      <Input.Wrapper label={t('field_conditions')} labelElement="div" error={errorAt('conditions')}>
        <Rows
          rows={conditions}
          nameOf={(index) => t('conditionOf', { index })}
          addLabel={t('addCondition')}
          empty={{ subject: 'caller_number', operator: 'equals', value: '' }}
          max={20}
          onChange={(rows, index) =>
            onParams(
              withParam(step.params, 'conditions', rows.map(asSent)),
              index < 0 ? '' : `conditions.${index}`,
            )
          }
        >
          {({ subject, operator, value = '' }, index, change) => (
            <>
              <Autocomplete
                label={t('subject')}
                data={subjects}
                value={subject}
                error={errorAt(`conditions.${index}.subject`)}
                data-path={`conditions.${index}.subject`}
                onChange={(next) => change({ subject: next })}
              />
              <Select
                label={t('operator')}
                allowDeselect={false}
                data={operators.map((one) => ({ value: one, label: choiceName('op', one) }))}
                value={operator}
                error={errorAt(`conditions.${index}.operator`)}
                data-path={`conditions.${index}.operator`}
                onChange={(next) => change({ operator: next ?? operator })}
              />
              {!unary.includes(operator) && (
                <TextInput
                  label={t('field_value')}
                  value={value}
                  error={errorAt(`conditions.${index}.value`)}
                  data-path={`conditions.${index}.value`}
                  onChange={({ currentTarget }) => change({ value: currentTarget.value })}
                />
              )}
            </>
          )}
        </Rows>
      </Input.Wrapper>
    </Stack>
  )
}

/** Operators without a value to compare with. */
function asSent({ subject, operator, value = '' }: Condition): Condition {
  return unary.includes(operator) ? { subject, operator } : { subject, operator, value }
}
