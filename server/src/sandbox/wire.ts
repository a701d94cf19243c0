/** The Event Socket's framing: commands in, replies and events out. */
import type { SwitchEvent } from './event-bus.js'

/** One command of a client: its first line, its headers (names in lower case), its body. */
export interface Command {
  line: string
  headers: Map<string, string>
  body: string
}

/** A longer command ends the connection (FreeSWITCH allows 10 MB; no command of ours is near this). */
const longestCommand = 1024 * 1024

/** Cuts a byte stream into commands. Ends of line may be LF or CRLF; empty lines between commands are skipped. */
export class CommandReader {
  #held: Buffer = Buffer.alloc(0)

  /**
   * @returns the commands that are complete now
   * @throws {Error} when a command is too long or its length makes no sense: the connection cannot go on
   */
  read(chunk: Buffer): Command[] {
    this.#held = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk
    const commands: Command[] = []
    for (let command = this.#take(); command; command = this.#take()) commands.push(command)
    if (this.#held.length > longestCommand) throw new Error('a command is too long')
    return commands
  }

  #take(): Command | undefined {
    let start = 0
    while (this.#held[start] === 10 || this.#held[start] === 13) start++
    if (start > 0) this.#held = this.#held.subarray(start)
    const end = endOfHead(this.#held)
    if (!end) return undefined
    const [line = '', ...rest] = this.#held.toString('utf8', 0, end.at).split(/\r?\n/)
    const headers = new Map<string, string>()
    for (const header of rest) {
      const colon = header.indexOf(':')
      const name = header.slice(0, colon).trim().toLowerCase()
      // The first header of a name counts, as in FreeSWITCH.
      if (colon > 0 && !headers.has(name)) headers.set(name, header.slice(colon + 1).trim())
    }
    const length = Number(headers.get('content-length') ?? 0)
    if (!Number.isInteger(length) || length < 0 || length > longestCommand)
      throw new Error('bad Content-Length')
    if (this.#held.length < end.next + length) return undefined
    const body = this.#held.toString('utf8', end.next, end.next + length)
    this.#held = this.#held.subarray(end.next + length)
    return { line: line.trimEnd(), headers, body }
  }
}

function endOfHead(bytes: Buffer): { at: number; next: number } | undefined {
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    const next = bytes[at + 1] === 13 ? at + 2 : at + 1
    if (bytes[next] === 10) return { at, next: next + 1 }
  }
  return undefined
}

const oneLine = (text: string) => text.replace(/[\r\n]+/g, ' ').trimEnd()

/** `command/reply`; further headers after Reply-Text. */
export function reply(text: string, headers: Readonly<Record<string, string>> = {}): string {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${oneLine(value)}\n`)
  return `Content-Type: command/reply\nReply-Text: ${oneLine(text)}\n${more.join('')}\n`
}

/** `api/response`. FreeSWITCH never sends an empty one. */
export function apiResponse(text: string): string {
  const body = text === '' ? '-ERR no reply\n' : text
  return `Content-Type: api/response\nContent-Length: ${Buffer.byteLength(body)}\n\n${body}`
}

export function disconnectNotice(): string {
  const body = 'Disconnected, goodbye.\n'
  return `Content-Type: text/disconnect-notice\nContent-Length: ${Buffer.byteLength(body)}\n\n${body}`
}

export function eventFrame(event: SwitchEvent, format: 'json' | 'plain'): string {
  const text = format === 'json' ? eventJson(event) : eventPlain(event)
  return `Content-Length: ${Buffer.byteLength(text)}\nContent-Type: text/event-${format}\n\n${text}`
}

function eventJson({ headers, body }: SwitchEvent): string {
  if (!body) return JSON.stringify(headers)
  return JSON.stringify({ ...headers, 'Content-Length': String(Buffer.byteLength(body)), _body: body })
}

/** Headers one a line, values URL-encoded: also what `uuid_dump` prints. */
export function eventPlain({ headers, body }: SwitchEvent): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${urlEncode(value)}\n`)
  if (!body) return `${lines.join('')}\n`
  return `${lines.join('')}Content-Length: ${Buffer.byteLength(body)}\n\n${body}`
}

function urlEncode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString()).replace(/%(3A|2C|2F|40|3B|3D|2B)/g, (code) =>
    decodeURIComponent(code),
  )
}
