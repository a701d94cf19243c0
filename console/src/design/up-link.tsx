import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'

/** From the page of one thing to the list of them all. */
export function UpLink({ to, children }: { to: string; children: string }) {
  return (
    <Anchor component={Link} to={to} activeOptions={{ exact: true }} size="sm">
      {children}
    </Anchor>
  )
}
