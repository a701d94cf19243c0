/** Status of a switch: FreeSWITCH, or the sandbox, which prints the same. */

/** How a switch is doing. */
export interface SwitchStatus {
  /** `sandbox`: its lines are simulated. */
  readonly kind: 'freeswitch' | 'sandbox'
  /** For example `1.10.12`. */
  readonly version: string
  readonly uptime_seconds: number
  /** Channels that live: one a leg. */
  readonly channels: number
  /** Channels that may live at once. */
  readonly max_channels: number
  /** The most that have lived at once since it was started. */
  readonly peak_channels: number
  /** Channels that have begun since its start. */
  readonly channels_begun: number
  /** Whether it writes a journal of how channels ended. */
  readonly keeps_journal: boolean
}

interface Link {
  /** Runs a quick API command. */
  api(command: string): Promise<string>
}

/** Asks the switch. @throws what the link throws */
export async function switchStatusOf(link: Link, keeps_journal: boolean): Promise<SwitchStatus> {
  const [version, status] = [await link.api('version'), await link.api('status')]
  return { ...versionIn(version), ...statusIn(status), keeps_journal }
}

/** `FreeSWITCH Version 1.10.12-release~64bit (…)`, or with `(sandbox: simulated lines)`. */
export function versionIn(text: string): Pick<SwitchStatus, 'kind' | 'version'> {
  const [, version = ''] = /Version (\d+(?:\.\d+)*)/.exec(text) ?? []
  return { kind: text.includes('(sandbox') ? 'sandbox' : 'freeswitch', version }
}

/** The lines of mod_commands' `status`. */
export function statusIn(text: string): Omit<SwitchStatus, 'kind' | 'version' | 'keeps_journal'> {
  const number = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0)
  return {
    uptime_seconds: uptimeIn(text),
    channels: number(/^(\d+) session\(s\) - peak/m),
    max_channels: number(/^(\d+) session\(s\) max/m),
    peak_channels: number(/session\(s\) - peak (\d+)/),
    channels_begun: number(/^(\d+) session\(s\) since startup/m),
  }
}

/** The load of a switch. Values that it does not report are left out: the sandbox has no processors of its own. */
export function switchLoadIn(
  text: string,
): Partial<Record<'perSecond' | 'maxPerSecond' | 'idleRatio', number>> {
  const [, perSecond, maxPerSecond] = /^(\d+) session\(s\) per Sec out of max (\d+)/m.exec(text) ?? []
  const [, idle] = /^min idle cpu [\d.]+\/([\d.]+)/m.exec(text) ?? []
  return {
    ...(perSecond && { perSecond: Number(perSecond), maxPerSecond: Number(maxPerSecond) }),
    ...(idle && { idleRatio: Number(idle) / 100 }),
  }
}

const secondsOf: Readonly<Record<string, number>> = {
  ...{ year: 31_536_000, day: 86_400, hour: 3_600, minute: 60, second: 1 },
}

/** `UP 0 years, 1 day, 2 hours, 3 minutes, 4 seconds, 5 milliseconds, 6 microseconds` */
function uptimeIn(text: string): number {
  const [line = ''] = /^UP .*$/m.exec(text) ?? []
  const parts = line.matchAll(/(\d+) (year|day|hour|minute|second)s?\b/g)
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * (secondsOf[unit ?? ''] ?? 0), 0)
}
