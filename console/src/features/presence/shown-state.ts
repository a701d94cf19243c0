import type { StateName } from './queries'

/** The states of the API; and a call that rings, which the API has as `busy` with `is_ringing`. */
export type ShownState = StateName | 'ringing'

/** In the order in which people look for them. */
export const shownStates = [
  ...(['available', 'ringing', 'incall', 'busy', 'offline'] as const),
] as const satisfies ShownState[]

export function shownStateOf({ state, is_ringing }: { state: StateName; is_ringing: boolean }): ShownState {
  return is_ringing ? 'ringing' : state
}
