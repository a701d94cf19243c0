/** Browser notifications while the console is not visible, if the user has allowed them. */

export interface Notice {
  /** Of several with the same tag only the last is shown. */
  tag: string
  title: string
  body: string
  /** It stays until the user dismisses it. */
  stays?: boolean
  /** In addition to bringing the console to the front. */
  onClick?: () => void
}

/** Shows a browser notification. Null if they are not available. */
export function notify({ tag, title, body, stays = false, onClick }: Notice): Notification | null {
  if (!('Notification' in window) || Notification.permission !== 'granted') return null
  try {
    const shown = new Notification(title, { body, tag, requireInteraction: stays })
    shown.onclick = () => {
      window.focus()
      shown.close()
      onClick?.()
    }
    return shown
  } catch {
    // Some browsers only allow notifications from service workers.
    return null
  }
}

/** A shared lock, held by every visible tab. */
const lookedAt = 'jackfield.looked-at'

/** How long the notifying tab keeps other tabs from showing the same notification. */
const claimMs = 5_000

/** Without Web Locks, on a page over plain HTTP, browsers show no notifications either. */
const locks = navigator.locks as LockManager | undefined

let leave: (() => void) | undefined

function look(): void {
  leave?.()
  leave = undefined
  if (document.visibilityState !== 'visible') return
  const ending = new AbortController()
  leave = () => ending.abort()
  const { signal } = ending
  void locks
    ?.request(lookedAt, { mode: 'shared', signal }, async () => {
      // The lock is released when this promise resolves; the signal only aborts the wait for it.
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve()
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    })
    .catch(() => undefined)
}

document.addEventListener('visibilitychange', look)
look()

/** Resolves when no tab is visible. @throws if the signal aborts first */
export async function unseen(signal: AbortSignal): Promise<void> {
  await locks?.request(lookedAt, { signal }, () => undefined)
}

/** Shows a notification for an event that every tab receives: once, and only if no tab is visible. @param event names the event */
export function notifyUnseen(event: string, notice: Notice): void {
  void locks?.request(`jackfield.notified.${event}`, { ifAvailable: true }, async (own) => {
    if (!own) return
    const { held = [] } = await locks.query()
    if (!held.some(({ name }) => name === lookedAt)) notify(notice)
    await new Promise((resolve) => setTimeout(resolve, claimMs))
  })
}
