/** The frame of every page: its title, actions, and loading, empty and error states. */
import { Alert, Button, Group, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { ApiError } from '@jackfield/sdk'
import { type Icon, IconAlertTriangle, IconMapOff } from '@tabler/icons-react'
import { type ReactElement, type ReactNode, useEffect, useState } from 'react'
import { isStatus, messageOf } from '../api/errors'
import { common } from '../i18n/common'
import { useTexts } from '../i18n/texts'
import { NumbersIn } from './phone-number'
import { usePageInTab } from './tab-title'

interface PageProps {
  title: string
  /** Link to the parent list. */
  up?: ReactNode
  /** One sentence below the title. */
  description?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
}

export function Page({ title, up, description, actions, children }: PageProps) {
  usePageInTab(title)
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        {/* What it would take in one line does not count: a long description wraps, and the buttons stay beside it. */}
        <div style={{ flex: '1 1 320px', minWidth: 0 }}>
          <Title order={1} size="h2" tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
            <NumbersIn text={title} />
          </Title>
          {up && <Text size="sm">{up}</Text>}
          {description && (
            <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {description}
            </Text>
          )}
        </div>
        {actions && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}

interface EmptyStateProps {
  icon: Icon
  title: string
  /** The next step for the user. */
  children?: ReactNode
  action?: ReactNode
}

export function EmptyState({ icon: Picture, title, children, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" py="xl" px="md" ta="center">
      <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
        <Picture size={28} />
      </ThemeIcon>
      <Text fw={600} size="lg">
        {title}
      </Text>
      {children && (
        <Text c="dimmed" maw={480} style={{ textWrap: 'balance' }}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  )
}

export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const t = useTexts(common)
  // A retry would get the same 404.
  if (isStatus(error, 404)) {
    return (
      <div role="alert">
        <EmptyState icon={IconMapOff} title={t('gone')}>
          {t('goneHint')}
        </EmptyState>
      </div>
    )
  }
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={t('somethingWrong')} role="alert">
      <Stack align="flex-start" gap="sm">
        <Text>{messageOf(error)}</Text>
        {onRetry && (
          <Button size="xs" color="red" variant="filled" onClick={onRetry}>
            {t('retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** A refetch failed, so the data is old. The banner above every page reports an unreachable server. */
export function StaleNotice({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useTexts(common)
  if (!(error instanceof ApiError)) return null
  return (
    <Alert color="yellow" icon={<IconAlertTriangle />} role="status">
      <Group justify="space-between" gap="sm">
        <Text>{t('stale', { problem: messageOf(error) })}</Text>
        <Button size="xs" variant="default" onClick={onRetry}>
          {t('retry')}
        </Button>
      </Group>
    </Alert>
  )
}

/** After this time the page says that loading takes long. */
const longMs = 10_000

/** Skeleton lines. After ten seconds it says that loading takes long, and offers a retry. */
export function Loading({ rows = 6, onRetry }: { rows?: number; onRetry?: (() => void) | undefined }) {
  const t = useTexts(common)
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), longMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Stack gap="sm" role="status" aria-label={t('loading')} aria-busy>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={28} />
      ))}
      {isLong && (
        <Group>
          <Text c="dimmed">{t('loadingLong')}</Text>
          {onRetry && (
            <Button size="xs" variant="default" onClick={onRetry}>
              {t('retry')}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  )
}

interface Asked<Data> {
  data: Data | undefined
  error: unknown
  refetch: () => unknown
}

/** Renders a query's data, error or loading state. Old data stays during a refetch. */
export function Answered<Data>({
  query,
  children,
  rows,
}: {
  query: Asked<Data>
  children: (data: Data) => ReactElement
  rows?: number
}): ReactElement {
  const retry = () => void query.refetch()
  if (query.data !== undefined)
    return (
      <>
        <StaleNotice error={query.error} onRetry={retry} />
        {children(query.data)}
      </>
    )
  if (query.error) return <ErrorState error={query.error} onRetry={retry} />
  return <Loading onRetry={retry} {...(rows && { rows })} />
}
