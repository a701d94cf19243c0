/** Formatted values: times in the viewer's zone, durations, phone numbers, money. */
import { ActionIcon, Badge, Code, CopyButton, Group, Text, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { common } from '../i18n/common'
import { perLocale } from '../i18n/language'
import { useTexts } from '../i18n/texts'

export { countOf, decimalSeparator, exactMoneyOf, moneyOf } from './figures'
export { NumbersIn, PhoneNumber, useSpacedNumbers } from './phone-number'

interface TimeProps {
  /** ISO 8601, or milliseconds since 1970. */
  at: string | number | null | undefined
  /** With seconds. */
  exact?: boolean
}

const shortTime = perLocale(
  (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' }),
)
const exactTime = perLocale(
  (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' }),
)
const wholeTime = perLocale((tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle: 'long' }))

/** A timestamp in the viewer's zone; its title has the seconds and the zone. */
export function Time({ at, exact = false }: TimeProps) {
  if (at === null || at === undefined) return <Text span>–</Text>
  const date = new Date(at)
  return (
    <time dateTime={date.toISOString()} title={wholeTime().format(date)} style={{ whiteSpace: 'nowrap' }}>
      {(exact ? exactTime() : shortTime()).format(date)}
    </time>
  )
}

/** A timestamp as plain text. */
export function momentOf(at: string): string {
  return exactTime().format(new Date(at))
}

/** `1:05`, `1:02:03`. */
export function durationOf(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

export function Duration({ seconds }: { seconds: number | null | undefined }) {
  if (seconds === null || seconds === undefined) return <Text span>–</Text>
  return <span style={{ fontVariantNumeric: 'tabular-nums' }}>{durationOf(seconds)}</span>
}

/** Two lines where there is little room. */
const wrapped = {
  root: { height: 'auto', overflow: 'visible' },
  label: { whiteSpace: 'normal', overflow: 'visible' },
} as const

export type Tone = 'good' | 'warn' | 'bad' | 'busy' | 'idle'

const colours: Readonly<Record<Tone, string>> = {
  good: 'green',
  warn: 'yellow',
  bad: 'red',
  busy: 'blue',
  idle: 'gray',
}

const colourOf = (tone: Tone) => `var(--mantine-color-${colours[tone]}-6)`

/** A state in words, with an icon: never by colour alone. */
export function StateBadge({ tone, icon, children }: { tone: Tone; icon?: ReactNode; children: ReactNode }) {
  return (
    <Badge
      color={colours[tone]}
      variant="default"
      className={`jf-state jf-${tone}`}
      leftSection={
        icon ? <span style={{ display: 'flex', color: colourOf(tone) }}>{icon}</span> : <Dot tone={tone} />
      }
      tt="none"
      fw={500}
      styles={wrapped}
    >
      {children}
    </Badge>
  )
}

function Dot({ tone }: { tone: Tone }) {
  const shape = tone === 'bad' ? { borderRadius: 1 } : { borderRadius: '50%' }
  return (
    <span
      aria-hidden
      style={{
        display: 'block',
        width: '0.5rem',
        height: '0.5rem',
        background: colourOf(tone),
        ...shape,
      }}
    />
  )
}

export function CopyValue({ value, what }: { value: string; what: string }) {
  const t = useTexts(common)
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('copied') : t('copy', { what })}>
          <ActionIcon variant="subtle" aria-label={t('copy', { what })} onClick={copy}>
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}

/** A value that users mostly copy. */
export function Copyable({ value, what }: { value: string; what: string }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Code style={{ overflowWrap: 'anywhere' }}>{value}</Code>
      <CopyValue value={value} what={what} />
    </Group>
  )
}
