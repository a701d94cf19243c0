/**
 * Telephone numbers with room between their parts, as people write them. Only the room is drawn: what is selected, copied or
 * looked for in the page stays E.164.
 */
import { Text } from '@mantine/core'
import { useEffect, useSyncExternalStore } from 'react'
import { Watched } from '../api/watched'

type Split = (number: string) => readonly string[]

/** Numbering plans are large: they come after the first number is drawn. */
class NumberingPlans extends Watched<Split | null> {
  private isAsked = false

  async fetch(): Promise<void> {
    if (this.isAsked) return
    this.isAsked = true
    try {
      const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
      this.set((number) => partsOf(number, parsePhoneNumberFromString(number)?.formatInternational()))
    } catch {
      // Numbers stay without room; the next one that is drawn tries again.
      this.isAsked = false
    }
  }
}

const plans = new NumberingPlans(null)

/** `+1`, `202`, `555`, `0123` of `+12025550123` and `+1 202-555-0123`; one part of what is no such number. */
export function partsOf(number: string, written: string | undefined): readonly string[] {
  const parts = written?.split(/[^+\d]+/).filter(Boolean) ?? []
  return parts.join('') === number ? parts : [number]
}

/** A phone number, or whatever stands in its place. Not wrapped, not translated. */
export function PhoneNumber({ number }: { number: string | null | undefined }) {
  const split = useSyncExternalStore(plans.subscribe, plans.snapshot)
  const isNumber = /^\+\d{7,15}$/.test(number ?? '')
  useEffect(() => {
    if (isNumber) void plans.fetch()
  }, [isNumber])
  const [first, ...others] = number && isNumber && split ? split(number) : [number || '–']
  return (
    <Text
      span
      fw="inherit"
      translate="no"
      style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}
    >
      {first}
      {others.map((part, index) => (
        <span key={index} style={{ marginInlineStart: '0.3em' }}>
          {part}
        </span>
      ))}
    </Text>
  )
}
