/** How a row is added to a list: by a button, or on a page of its own. */
import { Button } from '@mantine/core'
import { type Icon, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface AddButtonProps {
  onClick: () => void
  children: ReactNode
  /** Of what deletes instead: its picture, and red. */
  dangerIcon?: Icon | undefined
}

export function AddButton({ onClick, children, dangerIcon }: AddButtonProps) {
  const Picture = dangerIcon ?? IconPlus
  return (
    <Button
      {...(dangerIcon && { color: 'red', variant: 'outline' })}
      leftSection={<Picture size={18} aria-hidden />}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}

export function AddLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Button component={Link} to={to} leftSection={<IconPlus size={18} aria-hidden />}>
      {children}
    </Button>
  )
}
