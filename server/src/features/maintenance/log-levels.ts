/** How much each part logs, changed while it runs. */
import type { Logger } from 'pino'
import type { PlatformState } from './platform-state.entity.js'
import type { PlatformStates } from './platform-states.js'

export const loggingParts = ['server', 'switch', 'edge'] as const
export type LoggingPart = (typeof loggingParts)[number]

export const logLevels = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

/** How much a part logs. */
export interface PartLogLevel {
  part: LoggingPart
  level: LogLevel | 'default'
  until: string | null
}

interface Options {
  readonly states: PlatformStates
  /** Of this server; children that it has made already keep theirs. */
  readonly log: Logger
  /** Whether it is reachable, and how to set its level. @throws when it does not answer */
  readonly switch: { readonly isUp: boolean; api(command: string): Promise<string> }
  readonly edge: { readonly isConfigured: boolean; setDebug(level: number): Promise<void> }
}

/** FreeSWITCH's words; the installer starts it with `warning`. */
const ofSwitch: Readonly<Record<LogLevel, string>> = {
  ...{ error: 'err', warn: 'warning', info: 'info', debug: 'debug' },
}
const switchDefault = 'warning'

/** Kamailio's numbers; the installer starts it with 1, which is "notice". */
const ofEdge: Readonly<Record<LogLevel, number>> = { error: -1, warn: 0, info: 2, debug: 3 }
const edgeDefault = 1

const levelOf = (text: string | undefined) => logLevels.find((level) => level === text) ?? null

const nameOf = (part: LoggingPart) => `log_level.${part}`

export class LogLevels {
  private readonly serverDefault: string
  /** The level that each part was set to, unless it has been restarted since. */
  private readonly applied = new Map<LoggingPart, LogLevel | null>()
  /** Parts whose level has ended, and which must be reset. */
  private readonly ending = new Set<LoggingPart>()

  constructor(private readonly options: Options) {
    this.serverDefault = options.log.level
    options.states.on('read', () => void this.apply())
    options.states.whenOver((state) => this.isSettled(state))
  }

  list(): PartLogLevel[] {
    return loggingParts.map((part) => this.of(part))
  }

  of(part: LoggingPart): PartLogLevel {
    const state = this.options.states.get(nameOf(part))
    return {
      part,
      level: levelOf(state?.value) ?? 'default',
      until: state?.until?.toISOString() ?? null,
    }
  }

  /** @param level `default`: as it was started @param minutes after which it is so again; null: when the operator says so */
  async set(part: LoggingPart, level: PartLogLevel['level'], minutes: number | null): Promise<PartLogLevel> {
    const before = this.of(part)
    const until = minutes === null ? null : new Date(Date.now() + minutes * 60_000)
    const over = before.level === 'default' ? null : { value: before.level, until: new Date() }
    await this.options.states.set(nameOf(part), level === 'default' ? over : { value: level, until }, {
      action: 'log_level.update',
      target: { type: 'log_level', id: part },
      changes: {
        level: { from: before.level, to: level },
        until: { from: before.until, to: level === 'default' ? null : (until?.toISOString() ?? null) },
      },
    })
    await this.apply()
    return this.of(part)
  }

  /** Whether the part has been reset to the level that it was started with, also if the previous process had changed it. */
  private isSettled({ name, value }: PlatformState): boolean {
    const part = loggingParts.find((one) => nameOf(one) === name)
    if (!part || part === 'server') return true
    if (!this.ending.has(part)) {
      this.ending.add(part)
      this.applied.set(part, levelOf(value))
    }
    if (this.applied.get(part) !== null) return false
    this.ending.delete(part)
    return true
  }

  /** What was set; null: nothing. */
  private levelOf(part: LoggingPart): LogLevel | null {
    return levelOf(this.options.states.get(nameOf(part))?.value)
  }

  /** The switch has been connected: it may have restarted. */
  switchIsUp(): void {
    // A level that has ended must be reset once more.
    if (!this.ending.has('switch')) this.applied.delete('switch')
    void this.apply()
  }

  /** Sets the levels of all parts; those that are down are set when the states are read next. */
  private async apply(): Promise<void> {
    const { log, switch: link, edge } = this.options
    log.level = this.levelOf('server') ?? this.serverDefault
    await Promise.all([
      this.setAt('switch', link.isUp, async (level) => {
        const word = level ? ofSwitch[level] : switchDefault
        await link.api(`fsctl loglevel ${word}`)
        await link.api(`console loglevel ${word}`)
      }),
      this.setAt('edge', edge.isConfigured, async (level) =>
        edge.setDebug(level ? ofEdge[level] : edgeDefault),
      ),
    ])
  }

  private async setAt(
    part: LoggingPart,
    isReachable: boolean,
    say: (level: LogLevel | null) => Promise<void>,
  ): Promise<void> {
    const level = this.levelOf(part)
    const last = this.applied.get(part) ?? null
    // A restart of Kamailio goes unnoticed: its level is set again and again.
    if (!isReachable || (level === last && (part !== 'edge' || level === null))) return
    await say(level).then(
      () => this.applied.set(part, level),
      (error: unknown) =>
        this.options.log.warn(
          { event: 'server.log_level_failed', err: error, part },
          'a log level cannot be set',
        ),
    )
  }
}
