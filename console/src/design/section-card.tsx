import { Card, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SectionCardProps {
  title: string
  hint?: string
  children: ReactNode
}

/** One part of a page. */
export function SectionCard({ title, hint, children }: SectionCardProps) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <Title order={2} size="h4" {...(!hint && { mb: 'sm' })}>
        {title}
      </Title>
      {hint && (
        <Text size="sm" c="dimmed" mb="sm">
          {hint}
        </Text>
      )}
      {children}
    </Card>
  )
}
