/** Buttons of the phone: each says in a tooltip what it does, and by which keys. */
import { ActionIcon, type ActionIconProps, Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Shortcut, keysOf } from './shortcuts'

interface PhoneButtonProps {
  label: string
  shortcut?: Shortcut | undefined
  onClick: () => void
  children: ReactNode
}

/** A picture alone. */
export function PhoneTool({
  label,
  shortcut,
  children,
  ...props
}: PhoneButtonProps & ActionIconProps & { 'aria-expanded'?: boolean }) {
  return (
    <Tooltip withinPortal={false} label={tipOf(label, shortcut)}>
      <ActionIcon size="xl" variant="default" aria-label={label} {...announced(shortcut)} {...props}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}

/** A word. */
export function PhoneButton({ label, shortcut, children, ...props }: PhoneButtonProps & ButtonProps) {
  return (
    <Tooltip withinPortal={false} label={tipOf(label, shortcut)} disabled={!shortcut}>
      <Button {...announced(shortcut)} {...props}>
        {children}
      </Button>
    </Tooltip>
  )
}

function tipOf(label: string, shortcut: Shortcut | undefined): string {
  return shortcut ? `${label} (${keysOf(shortcut)})` : label
}

function announced(shortcut: Shortcut | undefined) {
  return shortcut ? { 'aria-keyshortcuts': keysOf(shortcut) } : {}
}
