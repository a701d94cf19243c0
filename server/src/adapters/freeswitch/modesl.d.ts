/** The part of modesl 1.2 that we use: its socket, its log-in and its parser; tests of the sandbox use its calls as well. */
declare module 'modesl' {
  import type { Socket } from 'node:net'

  /** Of a message, not of an event. */
  export type ModeslHeaders = Readonly<Record<string, string>>

  export class Connection {
    constructor(host: string, port: number, password: string, ready?: () => void)
    socket: Socket | null
    /** Set when the socket has connected. */
    readonly parser: { _parseEvent(headers: ModeslHeaders, body?: string): void }
    /** Of its own commands that wait for a reply. */
    readonly cmdCallbackQueue: readonly unknown[]
    on(event: string, listener: (...args: never[]) => void): this
    api(command: string, reply: (event: { getBody(): string }) => void): void
    disconnect(): void
  }

  const modesl: { Connection: typeof Connection }
  export default modesl
}
