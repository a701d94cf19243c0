/** Branches of a split, and their shares of the calls. */
import { Group, Input, NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../../i18n/texts'
import { type Branch, edgesOfRenamed, edgesWithout } from '../model/branches'
import { type Step, withParam } from '../model/steps'
import { stepTexts } from '../texts'
import { Rows, rowsIn } from './rows'
import type { StepFieldProps } from './plain-field'

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
        onChange={(rows, index) => {
          const params = withParam(step.params, 'branches', rows)
          if (index < 0) onParams(params, '', edgesWithout(step.next, branches, rows))
          else onParams(params, `branches.${index}`, renamedEdges(step, branches[index], rows[index]))
        }}
      >
        {({ outcome, percent }, index, change) => (
          <Group gap="xs" align="flex-start" grow>
            <BranchName
              name={outcome}
              others={branches.filter((_, at) => at !== index).map((branch) => branch.outcome)}
              error={errorAt(`branches.${index}.outcome`)}
              path={`branches.${index}.outcome`}
              onName={(name) => change({ outcome: name })}
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

function renamedEdges({ next }: Step, before: Branch | undefined, after: Branch | undefined): Step['next'] {
  return before && after ? edgesOfRenamed(next, before.outcome, after.outcome) : next
}

interface BranchNameProps {
  name: string
  others: readonly string[]
  error: string | undefined
  path: string
  onName: (name: string) => void
}

/** Applied on blur: while typing, the name may equal that of another branch, which has its own edge. */
function BranchName({ name, others, error, path, onName }: BranchNameProps) {
  const t = useTexts(stepTexts)
  const [of, setOf] = useState(name)
  const [typed, setTyped] = useState(name)
  if (of !== name) {
    setOf(name)
    setTyped(name)
  }
  const isTaken = others.includes(typed) && typed !== ''
  const keep = () => {
    if (!isTaken && typed !== name) onName(typed)
  }
  return (
    <TextInput
      label={t('branch')}
      value={typed}
      error={isTaken ? t('branchTaken') : error}
      data-path={path}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={keep}
      onKeyDown={({ key }) => key === 'Enter' && keep()}
    />
  )
}
