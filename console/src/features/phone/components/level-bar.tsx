import { Group, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { Meter } from '../../../media/meter'

/** Level meter. It renders itself, so that the page around it does not. */
export function LevelBar({ label, meter }: { label: string; meter: Meter }) {
  const bar = useRef<HTMLDivElement>(null)
  const filled = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let frame = 0
    const draw = () => {
      const level = Math.round(meter.level() * 100)
      bar.current?.setAttribute('aria-valuenow', String(level))
      if (filled.current) filled.current.style.transform = `scaleX(${level / 100})`
      frame = requestAnimationFrame(draw)
    }
    draw()
    return () => cancelAnimationFrame(frame)
  }, [meter])
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="sm" w={110} style={{ flexShrink: 0 }}>
        {label}
      </Text>
      <div
        ref={bar}
        className="jf-level"
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={0}
      >
        <div ref={filled} />
      </div>
    </Group>
  )
}
