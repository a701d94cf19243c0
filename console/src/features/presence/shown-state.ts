import type { StateName } from './queries'

/** The states of the API; and a call that rings, which the API has as `busy` with a call. */
export type ShownState = StateName | 'ringing'

export function shownStateOf({
  state,
  call_id = null,
}: {
  state: StateName
  call_id?: string | null
}): ShownState {
  return state === 'busy' && call_id !== null ? 'ringing' : state
}
