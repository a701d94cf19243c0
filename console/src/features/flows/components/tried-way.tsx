/** Path of a trial call, its end, and its variables. */
import { Anchor, Button, Divider, List, Stack, Text } from '@mantine/core'
import { causeInWords } from '../../../api/call-words/causes'
import { detailsInWords } from '../../../api/call-words/details'
import { Facts } from '../../../design/facts'
import { useTexts } from '../../../i18n/texts'
import { type Step, otherwise } from '../model/steps'
import type { Simulation } from '../model/trial'
import { tryTexts } from '../texts'
import { edgeId, useEditing, useStepWords } from './editing'

interface TriedWayProps {
  result: Simulation
  /** Repeats the random branches in the next trial call. */
  onKeepSeed: (seed: number) => void
}

export function TriedWay({ result, onKeepSeed }: TriedWayProps) {
  const t = useTexts(tryTexts)
  const { edit, state } = useEditing()
  const { outcomeName } = useStepWords()
  const { reason, cause } = result.ended
  const hasChance = result.path.some(({ type }) => type === 'split')
  return (
    <section aria-label={t('tryPath')}>
      <Divider label={t('tryPath')} labelPosition="left" mb="xs" />
      <List type="ordered" size="sm" spacing={6}>
        {result.path.map(({ node_id, type, outcome, details }, index) => {
          const step = state.steps.find(({ id }) => id === node_id)
          return (
            <List.Item key={index}>
              <Anchor
                component="button"
                type="button"
                size="sm"
                onClick={() => edit({ do: 'select', id: node_id })}
              >
                {node_id}
              </Anchor>
              {outcome !== null && `: ${outcomeName(outcome, type)}`}
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {summaryOf(details, step)}
              </Text>
            </List.Item>
          )
        })}
      </List>
      <Text mt="xs" fw={500} role="status">
        {t(`tryEnd_${reason}`, { cause: cause ? causeInWords(cause) : '' })}
      </Text>
      <Held state={result.state} />
      {hasChance && (
        <Stack gap={4} mt="xs" align="flex-start">
          <Text size="sm">{t('trySeedWas', { seed: result.seed })}</Text>
          <Button size="compact-xs" variant="default" onClick={() => onKeepSeed(result.seed)}>
            {t('trySeedKeep')}
          </Button>
        </Stack>
      )}
    </section>
  )
}

/** Values that conditions and texts could use at the end of the call. */
function Held({ state: { digits, variables, contact_name } }: Pick<Simulation, 'state'>) {
  const t = useTexts(tryTexts)
  const facts = [
    ...(digits === '' ? [] : [[t('tryDigits'), digits] as const]),
    ...(contact_name === null ? [] : [[t('tryContactName'), contact_name] as const]),
    ...Object.entries(variables),
  ]
  if (facts.length === 0) return null
  return (
    <Stack gap={4} mt="xs">
      <Text size="sm" fw={500}>
        {t('tryHeld')}
      </Text>
      <Facts facts={facts} />
    </Stack>
  )
}

/** Result of a step, and names of the objects it refers to; the flow shows its settings. */
function summaryOf({ names, ...details }: Record<string, unknown>, step: Step | undefined): string {
  const found = Object.entries(details).filter(([name]) => !(name in (step?.params ?? {})))
  const named = Object.values(names ?? {}).filter((name) => typeof name === 'string')
  const facts = detailsInWords(Object.fromEntries(found)).map(([name, value]) => `${name}: ${value}`)
  return [...named, ...facts].join(' · ')
}

/** Ids of the steps and edges that the call passed. */
export function triedIn(result: Simulation | null, steps: readonly Step[]): ReadonlySet<string> {
  const next = new Map(steps.map((step) => [step.id, step.next]))
  return new Set(
    result?.path.flatMap(({ node_id: from, outcome }) => {
      if (outcome === null) return [from]
      const taken = outcome in (next.get(from) ?? {}) ? outcome : otherwise
      return [from, edgeId({ from, outcome: taken })]
    }),
  )
}
