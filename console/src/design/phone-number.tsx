/**
 * Telephone numbers with room between their parts, as people write them: one rule for all, the international form. Where a
 * page draws them, only the room is drawn: what is selected, copied or looked for in the page stays E.164.
 */
import { Text } from '@mantine/core'
import { Fragment, useEffect, useSyncExternalStore } from 'react'
import { numberingPlans } from '../api/numbering-plans'
import { Watched } from '../api/watched'

type Split = (number: string) => readonly string[]

/** Numbering plans are large: they come after the first number is drawn. */
class NumberParts extends Watched<Split | null> {
  private isAsked = false

  async fetch(): Promise<void> {
    if (this.isAsked) return
    this.isAsked = true
    try {
      const { parsePhoneNumberFromString } = await numberingPlans()
      this.set((number) => partsOf(number, parsePhoneNumberFromString(number)?.formatInternational()))
    } catch {
      // Numbers stay without room; the next one that is drawn tries again.
      this.isAsked = false
    }
  }
}

const parts = new NumberParts(null)

/** Undefined until the numbering plans are there. @param isNeeded whether there is a number to draw */
function useSplit(isNeeded: boolean): Split | null {
  const split = useSyncExternalStore(parts.subscribe, parts.snapshot)
  useEffect(() => {
    if (isNeeded) void parts.fetch()
  }, [isNeeded])
  return split
}

/** `+1`, `202`, `555`, `0123` of `+12025550123` and `+1 202-555-0123`; one part of what is no such number. */
export function partsOf(number: string, written: string | undefined): readonly string[] {
  const parts = written?.split(/[^+\d]+/).filter(Boolean) ?? []
  return parts.join('') === number ? parts : [number]
}

/** Numbers in E.164 within a text, but for those of SIP addresses. */
const inTexts = /(?<![\w+])(\+\d{7,15})(?![\d@])/

/** A phone number, or whatever stands in its place. Not wrapped, not translated. */
export function PhoneNumber({ number }: { number: string | null | undefined }) {
  const isNumber = /^\+\d{7,15}$/.test(number ?? '')
  const split = useSplit(isNumber)
  const [first, ...others] = number && isNumber && split ? split(number) : [number || '–']
  return (
    <Text span inherit translate="no" style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
      {first}
      {others.map((part, index) => (
        <span key={index} style={{ marginInlineStart: '0.3em' }}>
          {part}
        </span>
      ))}
    </Text>
  )
}

/** A text, such as a name or a heading, in which numbers in E.164 are drawn as {@link PhoneNumber} draws them. */
export function NumbersIn({ text }: { text: string }) {
  return text
    .split(inTexts)
    .map((part, index) =>
      index % 2 === 1 ? <PhoneNumber key={index} number={part} /> : <Fragment key={index}>{part}</Fragment>,
    )
}

/** The same for what holds text alone, such as the options of a field: the room is spaces. */
export function useSpacedNumbers(texts: readonly string[]): readonly string[] {
  const split = useSplit(texts.some((text) => inTexts.test(text)))
  if (!split) return texts
  const spaced = (text: string, index: number) => (index % 2 === 1 ? split(text).join(' ') : text)
  return texts.map((text) => text.split(inTexts).map(spaced).join(''))
}
