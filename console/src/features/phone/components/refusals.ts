/** Why a destination that was found cannot be called, or take a call over, in words. */
import { useTexts } from '../../../i18n/texts'
import type { Destination } from '../destinations'
import { phoneTexts } from '../texts'

export function useRefusals() {
  const t = useTexts(phoneTexts)
  const refusalOfCall = ({ refusal }: Destination) => refusal && t(`refusal_${refusal}`)
  return {
    refusalOfCall,
    refusalOfTransfer: (destination: Destination) => {
      const { state } = destination
      return state === null || state === 'available' ? refusalOfCall(destination) : t('refusal_not_available')
    },
  }
}
