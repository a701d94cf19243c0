/** The part of modesl 1.2 that we use: its socket, its parser and its reply queues. */
declare module 'modesl' {
  import type { Socket } from 'node:net'

  export interface ModeslEvent {
    readonly headers: readonly { readonly name: string; readonly value: string }[]
    readonly body: string
    getHeader(name: string): string | undefined
    getBody(): string
  }

  export class Connection {
    constructor(host: string, port: number, password: string, ready?: () => void)
    socket: Socket | null
    on(event: string, listener: (...args: never[]) => void): this
    sendRecv(command: string, reply: (event: ModeslEvent) => void): void
    api(command: string, reply: (event: ModeslEvent) => void): void
    events(format: 'json', names: string[], done: () => void): void
    disconnect(): void
  }

  const modesl: { Connection: typeof Connection }
  export default modesl
}
