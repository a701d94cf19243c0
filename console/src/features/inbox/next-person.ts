import { onSessionChange, sessionNow } from '../../session/session'

/** Calls back when whoever was signed in is so no more: what they wrote is not for the next at this desk. */
export function onNextPerson(listener: () => void): void {
  let whose = sessionNow()?.kind
  onSessionChange(() => {
    const kind = sessionNow()?.kind
    if (kind !== whose) listener()
    whose = kind
  })
}
