/** Why agents are away: the platform's reasons in words of the page's language, those of a workspace as they are. */
import { useTexts } from '../../i18n/texts'
import { reasonTexts } from './texts'

const known = ['break', 'lunch', 'meeting', 'training', 'other'] as const
type Known = (typeof known)[number]

const isKnown = (reason: string): reason is Known => (known as readonly string[]).includes(reason)

export function useReasonWords(): (reason: string) => string {
  const t = useTexts(reasonTexts)
  return (reason) => (isKnown(reason) ? t(reason) : reason)
}
