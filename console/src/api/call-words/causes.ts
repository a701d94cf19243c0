/** Why a call or a leg ended, for people: the switch's causes (ITU-T Q.850) in words. */
import { textOf } from '../../i18n/texts'
import { causeTexts } from './texts'

/** Who ended a call, as the API says it. */
export type EndedBy = 'caller' | 'callee' | 'carrier' | 'server' | 'unknown' | null

/** Causes that say no more than that somebody hung up: who did is more telling. */
const plain: ReadonlySet<string> = new Set(['NORMAL_CLEARING', 'NORMAL_UNSPECIFIED'])

/** @param endedBy who ended it, where that is known */
export function causeInWords(cause: string, endedBy: EndedBy = null): string {
  if (plain.has(cause) && endedBy !== null && endedBy !== 'unknown') return textOf(causeTexts, endedBy)
  return textOf(causeTexts, cause in causeTexts.en ? (cause as keyof typeof causeTexts.en) : 'other')
}
