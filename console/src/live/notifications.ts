/** What the browser tells of while nobody looks at the console, where its owner has allowed that. */

export interface Notice {
  /** Of several with the same tag only the last is shown. */
  tag: string
  title: string
  body: string
  /** It stays until somebody has seen to it. */
  stays?: boolean
  /** Beside bringing the console to the front. */
  onClick?: () => void
}

/** Shows a notification of the browser. Null where there are none. */
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
    // Some browsers show notifications of service workers only.
    return null
  }
}

/** Held by each tab that is looked at, together. */
const lookedAt = 'jackfield.looked-at'

/** How long the tab that tells of something keeps others from telling of it, too. */
const toldMs = 5_000

/** Without locks, on a page that came by plain http, browsers show no notifications either. */
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
      // A lock that is held is let go by this promise; the signal ends the waiting for it only.
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve()
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    })
    .catch(() => undefined)
}

document.addEventListener('visibilitychange', look)
look()

/** Resolves when no tab is looked at. @throws when the signal comes first */
export async function unseen(signal: AbortSignal): Promise<void> {
  await locks?.request(lookedAt, { signal }, () => undefined)
}

/** Tells of what every tab hears of: once, and only if none of them is looked at. @param event names what has happened */
export function notifyUnseen(event: string, notice: Notice): void {
  void locks?.request(`jackfield.told.${event}`, { ifAvailable: true }, async (own) => {
    if (!own) return
    const { held = [] } = await locks.query()
    if (!held.some(({ name }) => name === lookedAt)) notify(notice)
    await new Promise((resolve) => setTimeout(resolve, toldMs))
  })
}
