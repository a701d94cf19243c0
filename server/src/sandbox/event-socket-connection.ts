/** One client of the Event Socket: its password, its subscriptions, its commands one after the other. */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import { causeNamed } from './causes.js'
import { runCommand } from './commands/index.js'
import type { EventListener, SwitchEvent } from './event-bus.js'
import type { SandboxSwitch } from './sandbox-switch.js'
import { Subscription } from './subscription.js'
import { apiResponse, CommandReader, disconnectNotice, eventFrame, reply, type Command } from './wire.js'

/** A client that lets this much lie unread is cut off, in bytes. */
const MOST_UNREAD = 64 * 1024 * 1024
/** Commands that may wait behind a slow one before reading stops. */
const MOST_WAITING = 1000
/** Milliseconds to say the password. */
const PASSWORD_DEADLINE = 25_000

export class EventSocketConnection implements EventListener {
  readonly #reader = new CommandReader()
  readonly #subscription = new Subscription()
  readonly #passwordDeadline: NodeJS.Timeout
  #waiting: Command[] = []
  #busy = false
  #authenticated = false
  #leaving = false

  constructor(
    private readonly socket: Socket,
    private readonly sandbox: SandboxSwitch,
    private readonly password: string,
  ) {
    this.#passwordDeadline = setTimeout(() => this.cut(), PASSWORD_DEADLINE)
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('error', () => this.cut())
    socket.on('close', () => this.#forget())
    this.#write('Content-Type: auth/request\n\n')
  }

  cut(): void {
    this.socket.destroy()
  }

  wants(name: string): boolean {
    return this.#subscription.wants(name)
  }

  take(event: SwitchEvent): void {
    if (this.#subscription.passes(event)) this.#write(eventFrame(event, this.#subscription.format))
  }

  #forget(): void {
    clearTimeout(this.#passwordDeadline)
    this.sandbox.bus.forget(this)
    this.#waiting = []
  }

  #write(text: string): void {
    if (this.socket.destroyed) return
    this.socket.write(text)
    if (this.socket.writableLength > MOST_UNREAD) this.cut()
  }

  #read(chunk: Buffer): void {
    if (this.#leaving) return
    try {
      this.#waiting.push(...this.#reader.read(chunk))
    } catch {
      this.cut()
      return
    }
    if (this.#waiting.length > MOST_WAITING) this.socket.pause()
    void this.#work()
  }

  /** Commands are answered in their order; a blocking `api originate` holds up what follows, as in FreeSWITCH. */
  async #work(): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    for (let command = this.#waiting.shift(); command; command = this.#waiting.shift()) {
      if (this.#leaving || this.socket.destroyed) break
      try {
        await this.#answer(command)
      } catch (error) {
        console.error('sandbox: a command failed', error)
        this.#write(reply('-ERR internal error'))
      }
    }
    this.#busy = false
    if (this.socket.isPaused()) this.socket.resume()
  }

  async #answer(command: Command): Promise<void> {
    const [verb = '', ...words] = command.line.split(' ')
    const rest = words.join(' ')
    if (/^(exit|\.\.\.)/i.test(verb)) {
      this.#write(reply('+OK bye'))
      this.#leave()
    } else if (!this.#authenticated) this.#authenticate(verb, rest)
    else if (verb.toLowerCase() === 'api' && rest) this.#write(apiResponse(await this.#api(rest)))
    else this.#write(this.#command(verb.toLowerCase(), rest.trim(), command))
  }

  #authenticate(verb: string, password: string): void {
    if (verb.toLowerCase() !== 'auth') {
      this.#write(reply('-ERR command not found'))
      return
    }
    if (!sameText(password, this.password)) {
      this.#write(reply('-ERR invalid'))
      this.#leave()
      return
    }
    clearTimeout(this.#passwordDeadline)
    this.#authenticated = true
    this.sandbox.bus.listen(this)
    this.#write(reply('+OK accepted'))
  }

  #leave(): void {
    this.#leaving = true
    this.#write(disconnectNotice())
    this.socket.end()
  }

  async #api(text: string): Promise<string> {
    const { name, argument } = nameAndArgument(text)
    return runCommand(this.sandbox, name, argument)
  }

  #command(verb: string, rest: string, command: Command): string {
    switch (verb) {
      case 'bgapi':
        return rest ? this.#background(rest, command) : reply('-ERR command not found')
      case 'event':
      case 'nixevent':
      case 'noevents':
      case 'filter':
        if (verb === 'filter' && !rest) return reply('-ERR command not found')
        return reply(this.#subscription.change(verb, rest))
      case 'sendmsg':
        return reply(this.#sendMessage(rest || (command.headers.get('session-id') ?? ''), command))
      case 'sendevent':
        return reply(`+OK ${randomUUID()}`)
      case 'linger':
      case 'nolinger':
        return reply('-ERR not controlling a session')
      case 'log':
        return reply(`+OK log level ${rest} [${Number.parseInt(rest, 10) || 7}]`)
      case 'nolog':
        return reply('+OK no longer logging')
      default:
        return reply('-ERR command not found')
    }
  }

  #background(text: string, { headers }: Command): string {
    const job = headers.get('job-uuid') ?? randomUUID()
    const { name, argument } = nameAndArgument(text)
    const { bus } = this.sandbox
    // The reply to the command goes out first, then the work begins.
    setImmediate(() => {
      void runCommand(this.sandbox, name, argument)
        .catch((error: unknown) => {
          console.error('sandbox: a background command failed', error)
          return '-ERR internal error\n'
        })
        .then((result) =>
          bus.emit(
            'BACKGROUND_JOB',
            () => ({
              'Job-UUID': job,
              'Job-Command': name,
              ...(argument ? { 'Job-Command-Arg': argument } : {}),
            }),
            result,
          ),
        )
    })
    return reply(`+OK Job-UUID: ${job}`, { 'Job-UUID': job })
  }

  #sendMessage(uuid: string, { headers, body }: Command): string {
    const channel = this.sandbox.find(uuid)
    if (!channel) return `-ERR invalid session id [${uuid}]`
    const order = headers.get('call-command')?.toLowerCase()
    if (order === 'hangup') {
      channel.timers.after(1, () => channel.hangUp(causeNamed(headers.get('hangup-cause') ?? '')))
    } else if (order === 'execute') {
      const taken = channel.applications.execute({
        name: headers.get('execute-app-name') ?? '',
        argument: headers.get('execute-app-arg') ?? body,
        uuid: headers.get('event-uuid') ?? randomUUID(),
        locked: headers.get('event-lock')?.toLowerCase() === 'true',
      })
      if (!taken) return '-ERR memory error'
    }
    return '+OK'
  }
}

function nameAndArgument(text: string): { name: string; argument: string } {
  const blank = text.indexOf(' ')
  return blank < 0
    ? { name: text, argument: '' }
    : { name: text.slice(0, blank), argument: text.slice(blank + 1) }
}

function sameText(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(one), hash(other))
}
