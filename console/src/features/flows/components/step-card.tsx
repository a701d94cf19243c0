/** A step in the drawing: its summary, its problems, and a handle for each outcome. */
import { ActionIcon, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleDashed, IconPlus } from '@tabler/icons-react'
import { Handle, type Node, type NodeProps, Position, useStore, useUpdateNodeInternals } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { NumbersIn } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { errorsOf } from '../model/problems'
import { kindOf, shownOutcomes, targetOf } from '../model/step-kinds'
import { type Step, startType } from '../model/steps'
import { stepTexts } from '../texts'
import { summaryOf, useEditing, useStepWords } from './editing'
import { useArrival } from './use-step-focus'

export type DrawnStep = Node<{ step: Step }, 'step'>

export function StepCard({ id, data: { step }, selected }: NodeProps<DrawnStep>) {
  const t = useTexts(stepTexts)
  const { problems, names, tried, isStrict } = useEditing()
  const { choiceName, typeName } = useStepWords()
  const own = problems.filter((problem) => problem.step === step.id)
  const count = own.length
  const isWrong = errorsOf(own, step, isStrict).length > 0
  const card = useRef<HTMLDivElement>(null)
  useArrival(step, () => card.current?.closest<HTMLElement>('.react-flow__node')?.focus())
  const outcomes = shownOutcomes(step)
  const measureAnew = useUpdateNodeInternals()
  // The drawing caches the positions of handles: measure again when a branch is renamed.
  useEffect(() => measureAnew(id), [id, outcomes.join('\n')])
  const Icon = kindOf(step.type)?.icon
  const classes = ['jf-step', selected && 'jf-step-selected', tried.has(step.id) && 'jf-step-tried']
  return (
    <div ref={card} className={classes.filter(Boolean).join(' ')}>
      {step.type !== startType && <Handle type="target" position={Position.Left} className="jf-way-in" />}
      <div className="jf-step-head">
        <Group gap={6} wrap="nowrap">
          {Icon && <Icon size={16} aria-hidden style={{ flexShrink: 0 }} />}
          <Text size="sm" fw={600} truncate style={{ flex: 1 }}>
            {typeName(step.type)}
          </Text>
          {count > 0 && (
            <Group gap={2} wrap="nowrap" c={isWrong ? 'var(--mantine-color-error)' : 'dimmed'}>
              {isWrong ? (
                <IconAlertTriangle size={16} aria-hidden />
              ) : (
                <IconCircleDashed size={16} aria-hidden />
              )}
              <Text size="xs" fw={600}>
                {t(isWrong ? 'problemCount' : 'toDoCount', { count })}
              </Text>
            </Group>
          )}
        </Group>
        <Text size="xs" c="dimmed" truncate>
          <NumbersIn
            text={summaryOf(step, names[step.id], choiceName) || (step.id === step.type ? nothing : step.id)}
          />
        </Text>
      </div>
      {outcomes.map((outcome) => (
        <Way key={outcome} step={step} outcome={outcome} />
      ))}
    </div>
  )
}

/** As high as a line. */
const nothing = '\u00a0'

/** Below this zoom buttons are too small to hit (WCAG 2.2, 2.5.8) and texts too small to read. */
const leastZoom = 0.8

function Way({ step, outcome }: { step: Step; outcome: string }) {
  const t = useTexts(stepTexts)
  const { addStep } = useEditing()
  const { outcomeName } = useStepWords()
  const name = outcomeName(outcome, step.type)
  const isTaken = outcome in step.next
  const target = targetOf(step, outcome)
  const isFar = useStore(({ transform: [, , zoom] }) => zoom < leastZoom)
  return (
    <div className="jf-way">
      <Text size="xs" c={isTaken ? undefined : 'dimmed'} truncate>
        {name}
        {target?.isOtherwise && ` → ${t('asOtherwise')}`}
      </Text>
      {!isTaken && !isFar && (
        <ActionIcon
          className="nodrag nopan"
          variant="subtle"
          size={30}
          aria-label={t('addAfter', { step: step.id, outcome: name })}
          onClick={(event) => {
            event.stopPropagation()
            addStep({ from: step.id, outcome })
          }}
          onKeyDown={(event) => event.stopPropagation()}
        >
          <IconPlus size={14} />
        </ActionIcon>
      )}
      <Handle type="source" position={Position.Right} id={outcome} className="jf-way-out" />
    </div>
  )
}
