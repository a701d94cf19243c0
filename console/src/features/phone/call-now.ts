/** Calls from a page that is not the phone's; a notice says what is in the way. */
import { complain } from '../../api/use-action'
import { phone } from './phone'
import { problemOf } from './phone-problem'

/** @returns false while another call runs or begins: nothing is dialled then */
export async function callNow(to: string, name: string): Promise<boolean> {
  const { isBusy, isStarting } = phone.snapshot()
  if (isBusy || isStarting) return false
  await phone.dial(to, '', name).catch((error: unknown) => complain(error, problemOf(error)))
  return true
}
