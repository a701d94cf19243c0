import { Group, Progress, Text } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import type { Meter } from './meter'

const drawnEveryMs = 100

/** Level meter. */
export function LevelMeter({ label, meter }: { label: string; meter: Meter }) {
  const [level, setLevel] = useState(0)
  const { start, stop } = useInterval(() => setLevel(Math.round(meter.level() * 100)), drawnEveryMs)
  useEffect(() => {
    start()
    return stop
  }, [start, stop])
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="sm" w={96} style={{ flexShrink: 0 }}>
        {label}
      </Text>
      <Progress value={level} aria-label={label} transitionDuration={drawnEveryMs} style={{ flex: 1 }} />
    </Group>
  )
}
