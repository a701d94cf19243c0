/** A chart of one measure by day or month. The page's table has the same figures. */
import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'
import { directionWords } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { type Bar, periodText } from '../periods'
import { chartHeight } from './chart-height'

interface UsageChartProps {
  label: string
  bars: Bar[]
  format: (value: number) => string
  /** For a measure without parts. */
  isWhole: boolean
}

export default function UsageChart({ label, bars, format, isWhole }: UsageChartProps) {
  const t = useTexts(directionWords)
  return (
    <BarChart
      role="img"
      aria-label={label}
      h={chartHeight}
      data={bars}
      dataKey="period"
      type="stacked"
      series={[
        { name: 'inbound', label: t('inbound'), color: 'blue.6' },
        { name: 'outbound', label: t('outbound'), color: 'orange.6' },
      ]}
      withLegend
      legendProps={{ position: 'bottom' }}
      valueFormatter={format}
      // The topmost label is beside its line, not below it.
      barChartProps={{ margin: { top: 8 } }}
      accessibilityLayer={false}
      maxBarWidth={40}
      barProps={{ isAnimationActive: false }}
      xAxisProps={{
        tickFormatter: (period: string) => periodText(period, true),
        minTickGap: 16,
        interval: 'equidistantPreserveStart',
      }}
      yAxisProps={{ allowDecimals: !isWhole, width: 64 }}
      tooltipProps={{ labelFormatter: (period) => (typeof period === 'string' ? periodText(period) : '') }}
    />
  )
}
