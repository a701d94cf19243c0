import { Badge } from '@mantine/core'

/** How many of something wait; nothing at 0. @param label what they are, with their number */
export function CountBadge({ count, label }: { count: number; label: string }) {
  if (count === 0) return null
  return (
    <Badge size="sm" color="red.8" variant="filled" aria-label={label} style={{ flexShrink: 0 }}>
      {count > 99 ? '99+' : count}
    </Badge>
  )
}
