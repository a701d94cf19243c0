import type { Call } from './call.entity.js'

/** Digits of the number outside of the workspace; '' if there is none, as in calls between phones. */
export function outsideNumber({
  direction,
  from_number,
  to_number,
}: Pick<Call, 'direction' | 'from_number' | 'to_number'>): string {
  const number = direction === 'inbound' ? from_number : to_number
  return /^\+\d+$/.test(number) ? number.slice(1) : ''
}
