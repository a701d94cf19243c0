import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { AuditEntry } from '../queries'
import { placeOf } from '../targets'

/** The changed object, with a link to its page. */
export function Target({ entry }: { entry: AuditEntry }) {
  const place = placeOf(entry)
  const name = entry.target.name ?? entry.target.id
  const look = { size: 'sm', style: { overflowWrap: 'anywhere' } } as const
  if (!place)
    return (
      <Text span {...look}>
        {name}
      </Text>
    )
  return (
    <Anchor {...look} renderRoot={(props) => <Link {...props} {...place} />}>
      {name}
    </Anchor>
  )
}
