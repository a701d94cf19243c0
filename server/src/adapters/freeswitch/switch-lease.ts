/**
 * Which of several servers drives a switch. The switch itself stores it, in a global variable that only a server that
 * knows its value can change (mod_commands, `global_setvar <name>=<value>=<value before>`): so there is one driver at any
 * time, and no clocks are compared. The driver changes the value every second; if it stays the same for some seconds, its
 * server is gone, and another one writes its own.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { SwitchRefusedError } from './errors.js'

const variable = 'jackfield_driver'

/** The value that a server leaves behind when it stops; one that drives writes a dot in its own. */
const released = 'released'

const renewMs = 1_000
const pollMs = 500

/** After this time without a change, in milliseconds, the driver is gone. */
const staleMs = 6_000

/** On a switch that had no driver yet, the last of those that write at once wins: all have written after this time. */
const settleMs = 250

/** Runs an API command of the switch. */
type Api = (command: string) => Promise<string>

export class SwitchLease {
  private count = 0
  private value = ''
  private timer: NodeJS.Timeout | undefined

  /** @param holder names this process; letters, digits and hyphens */
  constructor(private readonly holder: string) {}

  /** Waits until this server drives. @throws what `api` throws */
  async acquire(api: Api): Promise<void> {
    let [seen, seenAt] = ['', Date.now()]
    for (;;) {
      const value = await read(api)
      if (value !== seen) [seen, seenAt] = [value, Date.now()]
      const isFree = !value.includes('.') || this.isOwn(value) || Date.now() - seenAt > staleMs
      if (isFree && (await this.take(api, value))) return
      await sleep(pollMs)
    }
  }

  /** Keeps driving. @param lost called once when another server does */
  hold(api: Api, lost: () => void): void {
    this.timer = setInterval(() => {
      this.take(api, this.value)
        .then((isKept) => {
          if (!isKept) this.end(lost)
        })
        // A lost link reports itself.
        .catch(() => undefined)
    }, renewMs)
  }

  /** Stops driving, because the link is lost. */
  end(then?: () => void): void {
    if (!this.timer) return
    clearInterval(this.timer)
    this.timer = undefined
    then?.()
  }

  /** Lets another server drive at once. @throws what `api` throws */
  async release(api: Api): Promise<void> {
    if (!this.timer) return
    this.end()
    // A renewal that was under way may have changed it.
    const value = await read(api)
    if (this.isOwn(value)) await api(`global_setvar ${variable}=${released}=${value}`)
  }

  /** @param before the value that is known */
  private async take(api: Api, before: string): Promise<boolean> {
    this.count += 1
    const next = `${this.holder}.${this.count}`
    await api(`global_setvar ${variable}=${next}${before === '' ? '' : `=${before}`}`)
    if (before === '') await sleep(settleMs)
    this.value = await read(api)
    return this.isOwn(this.value)
  }

  private isOwn(value: string): boolean {
    return value.startsWith(`${this.holder}.`)
  }
}

/** @returns '' where it was never set: the switch then says that there is no reply */
async function read(api: Api): Promise<string> {
  try {
    return (await api(`global_getvar ${variable}`)).trim()
  } catch (error) {
    if (error instanceof SwitchRefusedError) return ''
    throw error
  }
}
