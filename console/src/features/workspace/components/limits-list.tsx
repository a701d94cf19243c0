import { Group, Progress, SimpleGrid, Text } from '@mantine/core'
import { countOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { Profile } from '../queries'
import { workspaceTexts } from '../texts'

type Limits = Profile['limits']

/** From this fraction on a warning is shown. */
const nearlyFull = 0.9

export function LimitsList({ limits }: { limits: Limits }) {
  const t = useTexts(workspaceTexts)
  // Nearly exhausted limits first.
  const names = (Object.keys(limits) as (keyof Limits)[])
    .map((name) => ({ name, ...limits[name] }))
    .map((limit) => ({ ...limit, part: limit.max === 0 ? 1 : limit.used / limit.max }))
    .sort((a, b) => b.part - a.part)
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="lg" verticalSpacing="sm" component="ul" p={0} m={0}>
      {names.map(({ name, max, used, part }) => (
        <li key={name} style={{ listStyle: 'none' }}>
          <Group justify="space-between" gap="xs" wrap="nowrap" align="baseline">
            <Text size="sm">{t(`limit_${name}`)}</Text>
            <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
              {t('usedOf', { used: countOf(used), max: countOf(max) })}
            </Text>
          </Group>
          <Progress
            value={100 * Math.min(part, 1)}
            color={part >= nearlyFull ? 'red' : 'blue'}
            aria-label={t(`limit_${name}`)}
          />
          {part >= nearlyFull && (
            <Text size="xs" c="var(--mantine-color-error)">
              {t(part >= 1 ? 'full' : 'nearlyFull')}
            </Text>
          )}
        </li>
      ))}
    </SimpleGrid>
  )
}
