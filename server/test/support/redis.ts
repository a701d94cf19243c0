/** A Redis for tests: the real server, which keeps nothing. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:net'
import { eventually } from './api-client.js'
import { Child } from './child.js'
import { freePort } from './free-ports.js'

export class RedisServer {
  private constructor(
    readonly port: number,
    private readonly directory: string,
    private child: Child,
  ) {}

  static async start(): Promise<RedisServer> {
    const port = await freePort()
    const directory = await mkdtemp(join(tmpdir(), 'jackfield-redis-'))
    return new RedisServer(port, directory, await launch(port, directory))
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    process.kill(this.child.pid, 'SIGKILL')
    await this.child.exitCode(5_000)
  }

  /** Has it stand still, or go on: what is sent to it meanwhile waits. */
  freeze(isFrozen: boolean): void {
    process.kill(this.child.pid, isFrozen ? 'SIGSTOP' : 'SIGCONT')
  }

  /** Starts it again after {@link kill}. */
  async restart(): Promise<void> {
    this.child = await launch(this.port, this.directory)
  }

  async stop(): Promise<void> {
    await this.child.stop()
    await rm(this.directory, { recursive: true, force: true })
  }
}

async function launch(port: number, directory: string): Promise<Child> {
  const settings = { port, bind: '127.0.0.1', dir: directory, save: '', appendonly: 'no' }
  const options = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const child = await Child.start('/usr/bin/redis-server', options)
  await eventually(
    async () => accepts(port),
    (isUp) => isUp,
    { what: 'Redis' },
  )
  return child
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    return await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
  } finally {
    socket.destroy()
  }
}
