/** Why a message was not delivered, in words: by the API's code, or by what the carrier's receipt said. */
import type { components } from '@jackfield/sdk'
import { useCallback } from 'react'
import { defineTexts, type TextKey, useTexts } from '../../i18n/texts'
import en from './locales/en.json'

const failureTexts = defineTexts('message-failures', en)

type Failure = Pick<components['schemas']['Message'], 'error_code' | 'error_message'>
type Reason = TextKey<typeof en>

/** The platform's own codes, and the states of SMPP receipts (3.4, appendix B). */
const reasonOfCode = new Map<string, Reason>([
  ['no_route', 'no_route'],
  ['expired', 'expired'],
  ['no_receipt', 'no_receipt'],
  ['too_long', 'too_long'],
  ['no_media', 'files'],
  ['media_unsupported', 'files'],
  ['unreachable', 'unreachable'],
  ['not_bound', 'unreachable'],
  ['address_refused', 'unreachable'],
  ['EXPIRED', 'unreached'],
  ['UNDELIV', 'refused'],
  ['REJECTD', 'refused'],
])

/** What the API says of a receipt whose code is the network's own: `not deliverable (UNDELIV)`. */
const reasonOfReceipt = new Map<string, Reason>([
  ['deleted by the carrier', 'deleted'],
  ['not delivered in time', 'unreached'],
  ['not deliverable', 'refused'],
  ['lost by the carrier', 'lost'],
  ['delivery failed', 'refused'],
  ['skipped by the carrier', 'rejected'],
  ['blocked', 'blocked'],
  ['the handset cannot be reached', 'unreached'],
  ['no such handset', 'no_such_number'],
  ['rejected by the carrier', 'rejected'],
  ['ended by the carrier', 'rejected'],
  ['no credit at the carrier', 'no_credit'],
  ['the carrier has no route', 'refused'],
])

/** Undefined for what only the carrier knows. */
export function failureReasonOf({ error_code, error_message }: Failure): Reason | undefined {
  const meaning = error_message?.replace(/ \([^()]*\)$/, '')
  return reasonOfCode.get(error_code ?? '') ?? reasonOfReceipt.get(meaning ?? '')
}

export function useFailureWords(): (failure: Failure) => string | undefined {
  const t = useTexts(failureTexts)
  return useCallback(
    (failure: Failure) => {
      const reason = failureReasonOf(failure)
      return reason && t(reason)
    },
    [t],
  )
}
