import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'

/** Link from a detail page to its list. */
export function UpLink({ to, children }: { to: string; children: string }) {
  return (
    <Anchor component={Link} to={to} activeOptions={{ exact: true }} size="sm">
      {children}
    </Anchor>
  )
}
