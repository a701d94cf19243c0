/** Spend of a workspace in this hour and on this day, relative to its limits. */
import { Group, Progress, SimpleGrid, Text } from '@mantine/core'
import { useTexts } from '../i18n/texts'
import { designTexts } from './texts'
import { moneyOf } from './values'

interface Period {
  /** USD. */
  spent: number
  /** Null: no limit. */
  max: number | null
}

/** From this fraction on an alert is raised. */
const much = 0.8

export function Spending({ hour, day }: { hour: Period; day: Period }) {
  const t = useTexts(spendingTexts)
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing="sm" component="ul" p={0} m={0}>
      {(
        [
          ['hour', hour],
          ['day', day],
        ] as const
      ).map(([name, { spent, max }]) => {
        const part = max === null ? 0 : max === 0 ? 1 : Math.max(0, spent / max)
        return (
          <li key={name} style={{ listStyle: 'none' }}>
            <Group justify="space-between" gap="xs" align="baseline">
              <Text size="sm">{t(name)}</Text>
              <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
                {max === null
                  ? t('unlimited', { spent: moneyOf(spent) })
                  : t('of', { spent: moneyOf(spent), max: moneyOf(max) })}
              </Text>
            </Group>
            {max !== null && (
              <Progress
                value={100 * Math.min(part, 1)}
                color={part >= much ? 'red' : 'blue'}
                aria-label={t(name)}
              />
            )}
            {part >= 1 && (
              <Text size="xs" c="var(--mantine-color-error)">
                {t('used')}
              </Text>
            )}
          </li>
        )
      })}
    </SimpleGrid>
  )
}

export const spendingTexts = designTexts.spending
