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
  /** Whether it can be told, and the telling. @throws when it does not answer */
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
  /** What the parts were told last, as far as they have not been started again since. */
  private readonly told = new Map<LoggingPart, LogLevel | null>()
  /** Parts whose level is over, and which are to be told so. */
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

  /** The part has been told that it logs as it was started, also where an earlier process had set it. */
  private isSettled({ name, value }: PlatformState): boolean {
    const part = loggingParts.find((one) => nameOf(one) === name)
    if (!part || part === 'server') return true
    if (!this.ending.has(part)) {
      this.ending.add(part)
      this.told.set(part, levelOf(value))
    }
    if (this.told.get(part) !== null) return false
    this.ending.delete(part)
    return true
  }

  /** What was set; null: nothing. */
  private levelOf(part: LoggingPart): LogLevel | null {
    return levelOf(this.options.states.get(nameOf(part))?.value)
  }

  /** The switch has been connected: it may have been started again. */
  switchIsUp(): void {
    // What is to be ended is to be told once more.
    if (!this.ending.has('switch')) this.told.delete('switch')
    void this.apply()
  }

  /** Tells all parts; those that are away are told when the states are read next. */
  private async apply(): Promise<void> {
    const { log, switch: link, edge } = this.options
    log.level = this.levelOf('server') ?? this.serverDefault
    await Promise.all([
      this.tell('switch', link.isUp, async (level) => {
        const word = level ? ofSwitch[level] : switchDefault
        await link.api(`fsctl loglevel ${word}`)
        await link.api(`console loglevel ${word}`)
      }),
      this.tell('edge', edge.isConfigured, async (level) =>
        edge.setDebug(level ? ofEdge[level] : edgeDefault),
      ),
    ])
  }

  private async tell(
    part: LoggingPart,
    canBeTold: boolean,
    say: (level: LogLevel | null) => Promise<void>,
  ): Promise<void> {
    const level = this.levelOf(part)
    const last = this.told.get(part) ?? null
    // Nobody says when Kamailio was started again: what was set is said to it again and again.
    if (!canBeTold || (level === last && (part !== 'edge' || level === null))) return
    await say(level).then(
      () => this.told.set(part, level),
      (error: unknown) => this.options.log.warn({ err: error, part }, 'a log level cannot be set'),
    )
  }
}
