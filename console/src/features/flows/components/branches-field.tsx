/** The branches of a split, and their shares of the calls. */
import { Group, Input, NumberInput, TextInput } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import { stepTexts } from '../step-texts'
import { withParam } from '../model/steps'
import { Rows, rowsIn } from './rows'
import type { StepFieldProps } from './plain-field'

interface Branch {
  outcome: string
  percent: number
}

export function BranchesField({ step, errorAt, onParams }: StepFieldProps) {
  const t = useTexts(stepTexts)
  const branches = rowsIn<Branch>(step.params['branches'])
  return (
    <Input.Wrapper labelElement="div" error={errorAt('branches')}>
      <Rows
        rows={branches}
        nameOf={(number) => branches[number - 1]?.outcome || String(number)}
        addLabel={t('addBranch')}
        empty={{ outcome: '', percent: 10 }}
        max={20}
        onChange={(rows, index) =>
          onParams(withParam(step.params, 'branches', rows), index < 0 ? '' : `branches.${index}`)
        }
      >
        {({ outcome, percent }, index, change) => (
          <Group gap="xs" align="flex-start" grow>
            <TextInput
              label={t('branch')}
              value={outcome}
              error={errorAt(`branches.${index}.outcome`)}
              data-path={`branches.${index}.outcome`}
              onChange={({ currentTarget }) => change({ outcome: currentTarget.value })}
            />
            <NumberInput
              label={t('percent')}
              min={1}
              max={99}
              allowDecimal={false}
              value={percent}
              error={errorAt(`branches.${index}.percent`)}
              data-path={`branches.${index}.percent`}
              onChange={(next) => change({ percent: Number(next) })}
            />
          </Group>
        )}
      </Rows>
    </Input.Wrapper>
  )
}
