/** Buttons of the phone: each says in a tooltip what it does, and by which keys. */
import { Button, type ButtonProps, Stack, Text, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Shortcut, keysOf } from './shortcuts'

interface PhoneButtonProps {
  label: string
  shortcut?: Shortcut | undefined
  onClick: () => void
  children: ReactNode
}

/** A picture with its word below. */
export function PhoneTool({
  label,
  shortcut,
  icon,
  ...props
}: Omit<PhoneButtonProps, 'children'> & ButtonProps & { icon: ReactNode; 'aria-expanded'?: boolean }) {
  return (
    <Tooltip withinPortal={false} label={tipOf(label, shortcut)} disabled={!shortcut}>
      <Button variant="default" h="3.25rem" px={4} {...announced(shortcut)} {...props}>
        <Stack gap={2} align="center">
          {icon}
          <Text span size="xs" lh={1.2}>
            {label}
          </Text>
        </Stack>
      </Button>
    </Tooltip>
  )
}

/** A word. Its tooltip lies over the button itself: the tools above stay in view. */
export function PhoneButton({ label, shortcut, children, ...props }: PhoneButtonProps & ButtonProps) {
  return (
    <Tooltip withinPortal={false} offset={-32} label={tipOf(label, shortcut)} disabled={!shortcut}>
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
