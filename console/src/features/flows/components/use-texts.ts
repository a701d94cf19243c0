import { useTexts } from '../../../i18n/texts'
import type { Flow } from '../queries'
import { usedTexts } from '../texts'

/** What is said about the use of a flow. */
export function useTextsOfUse() {
  const t = useTexts(usedTexts)
  return {
    t,
    summary: (count: number) => (count === 0 ? t('unused') : t('numbers', { count })),
  }
}

/** What publishing has come to: whether calls run the flow now. */
export function useSaid() {
  const t = useTexts(usedTexts)
  return ({ trigger_type, phone_numbers: { length: count } }: Flow) => {
    if (trigger_type === 'outbound') return t('publishedOutbound')
    return count === 0 ? t('publishedUnused') : t('publishedUsed', { count })
  }
}
