/** Steps that branch. */
import { IconArrowsSplit2, IconClockHour4, IconQuestionMark, IconVariable } from '@tabler/icons-react'
import { type Params, isRecord } from '../steps'
import { type StepKind } from '../step-kind'

export const decisions: readonly StepKind[] = [
  {
    type: 'business_hours',
    icon: IconClockHour4,
    group: 'decide',
    fields: [{ kind: 'hours', name: 'hours' }],
    outcomes: ['open', 'closed', 'holiday'],
    initial: {
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
    },
  },
  {
    type: 'condition',
    icon: IconQuestionMark,
    group: 'decide',
    fields: [{ kind: 'conditions', name: 'conditions' }],
    outcomes: ['true', 'false'],
    initial: { conditions: [{ subject: 'caller_number', operator: 'equals', value: '' }] },
  },
  {
    type: 'split',
    icon: IconArrowsSplit2,
    group: 'decide',
    fields: [{ kind: 'branches', name: 'branches' }],
    outcomes: branchesOf,
    initial: {
      branches: [
        { outcome: 'a', percent: 50 },
        { outcome: 'b', percent: 50 },
      ],
    },
  },
  {
    type: 'set_variable',
    icon: IconVariable,
    group: 'decide',
    fields: [
      { kind: 'line', name: 'name', required: true },
      { kind: 'line', name: 'value', hint: 'placeholders' },
    ],
    outcomes: [],
    initial: { name: '', value: '' },
  },
]

function branchesOf({ branches }: Params): readonly string[] {
  if (!Array.isArray(branches)) return []
  const named = branches.flatMap((branch) =>
    isRecord(branch) && typeof branch['outcome'] === 'string' && branch['outcome'] !== ''
      ? [branch['outcome']]
      : [],
  )
  return [...new Set(named)]
}
