/** Outcomes of a step and the steps they lead to. */
import { ActionIcon, Divider, Group, Select, Stack, Text } from '@mantine/core'
import { IconArrowDownRight, IconPlus } from '@tabler/icons-react'
import { useTexts } from '../../../i18n/texts'
import { errorsOf, problemAt } from '../model/problems'
import { outcomesOf, targetOf } from '../model/step-kinds'
import { type Step, startType } from '../model/steps'
import { stepTexts } from '../texts'
import { useEditing, useStepWords } from './editing'

const newStep = '+'
const nowhere = ''

export function Outcomes({ step }: { step: Step }) {
  const t = useTexts(stepTexts)
  const { edit, state, problems, isStrict, addStep } = useEditing()
  const { outcomeName, typeName } = useStepWords()
  const own = errorsOf(problems, step, isStrict)
  const all = outcomesOf(step)
  const outcomes = [...new Set([...all, ...Object.keys(step.next)])]
  if (outcomes.length === 0) return <Text c="dimmed">{t('ends')}</Text>
  // No outcome may lead to the start.
  const targets = state.steps
    .filter(({ id, type }) => type !== startType || Object.values(step.next).includes(id))
    .map(({ id, type }) => ({
      value: id,
      label: id === type ? typeName(type) : `${id} · ${typeName(type)}`,
    }))
  const missing = problemAt(own, 'next')
  /** What an outcome without an edge does. */
  const unset = (outcome: string): string => {
    const target = targetOf({ next: { ...step.next, [outcome]: '' } }, outcome)
    return target ? `${t('asOtherwise')}: ${target.to}` : t('nowhere')
  }
  return (
    <Stack gap="xs">
      <Divider label={t('outcomes')} labelPosition="left" />
      {missing && (
        <Text size="sm" c="var(--mantine-color-error)">
          {missing}
        </Text>
      )}
      {outcomes.map((outcome) => (
        <Group key={outcome} gap="xs" wrap="nowrap" align="flex-end">
          <Select
            style={{ flex: 1, minWidth: 0 }}
            size="xs"
            label={outcomeName(outcome, step.type)}
            searchable
            allowDeselect={false}
            leftSection={<IconArrowDownRight size={14} />}
            data={[
              { value: nowhere, label: unset(outcome) },
              { value: newStep, label: t('newStep') },
              ...targets,
            ]}
            value={step.next[outcome] ?? nowhere}
            data-path={`next.${outcome}`}
            error={problemAt(own, `next.${outcome}`)}
            onChange={(to) => {
              const at = { from: step.id, outcome }
              if (to === newStep) addStep(at)
              else edit({ do: 'connect', at, to: to === nowhere || to === null ? null : to })
            }}
          />
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('addAfter', { step: step.id, outcome: outcomeName(outcome, step.type) })}
            onClick={() => addStep({ from: step.id, outcome })}
          >
            <IconPlus size={16} />
          </ActionIcon>
        </Group>
      ))}
    </Stack>
  )
}
