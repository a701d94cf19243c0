import { Card, Group, Skeleton, Text, Title } from '@mantine/core'
import { Suspense, lazy } from 'react'
import { fetched } from '../../../api/fetched'
import { useTexts } from '../../../i18n/texts'
import type { Measure } from '../measures'
import { barsOf } from '../periods'
import type { Usage } from '../queries'
import { usageTexts } from '../texts'
import { chartHeight } from './chart-height'

const UsageChart = lazy(async () => fetched(async () => import('./usage-chart')))

export function MeasureCard({ measure, usage }: { measure: Measure; usage: Usage }) {
  const t = useTexts(usageTexts)
  const name = t(measure.name)
  return (
    <Card withBorder component="section" aria-label={name}>
      <Group justify="space-between" align="baseline" mb="sm">
        <Title order={2} size="h5">
          {name}
        </Title>
        <Text fw={600} size="xl" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {measure.format(measure.valueOf(usage.total))}
        </Text>
      </Group>
      <Suspense fallback={<Skeleton height={chartHeight} />}>
        <UsageChart
          label={t('chartOf', { name })}
          bars={barsOf(usage, measure.valueOf)}
          format={measure.format}
          isWhole={measure.isWhole}
        />
      </Suspense>
    </Card>
  )
}
