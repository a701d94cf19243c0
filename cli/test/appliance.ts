/** A real server for the CLI's tests; it is outside of this workspace's build, so it is found by address. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Running {
  readonly port: number
  readonly operator: { readonly authorization: string | undefined }
  readonly sandboxSmpp: object
  readonly eventSocket: { readonly host: string; readonly port: number; readonly password: string }
  stop(): Promise<void>
}

interface Support {
  Appliance: { start(options: { settings: Record<string, string> }): Promise<Running> }
}

interface Database {
  stopSharedMariadb(): Promise<void>
}

/** A server of chats, speech to text and text to speech, in place of an AI provider's. */
export interface AiServer {
  readonly baseUrl: string
  readonly violations: readonly string[]
  answering: () => { text: string }
  start(): Promise<void>
  stop(): Promise<void>
}

/** @param key what requests must bear */
export async function startAiServer(key: string): Promise<AiServer> {
  const { OpenAiHttpServer } = (await supportOf('openai-http')) as {
    OpenAiHttpServer: new (key: string) => AiServer
  }
  const server = new OpenAiHttpServer(key)
  await server.start()
  return server
}

async function supportOf(name: string): Promise<unknown> {
  return import(new URL(`../../../server/dist/test/support/${name}.js`, import.meta.url).href)
}

/** A running server, and the home directory that tells the CLI of it. */
export interface TestAppliance {
  port: number
  operatorToken: string
  home: string
  stop(): Promise<void>
}

export async function startAppliance(): Promise<TestAppliance> {
  const support = (await supportOf('appliance')) as Support
  const appliance = await support.Appliance.start({ settings: { JACKFIELD_RATE_LIMITS_DEFAULT: '100000' } })
  const home = await mkdtemp(join(tmpdir(), 'jackfield-home-'))
  const operatorToken = appliance.operator.authorization?.split(' ')[1] ?? ''
  const tokenFile = join(home, 'operator-token')
  await writeFile(tokenFile, `${operatorToken}\n`)
  const { host, port, password } = appliance.eventSocket
  const passwordFile = join(home, 'esl-password')
  await writeFile(passwordFile, password)
  const file = {
    http: `http://127.0.0.1:${String(appliance.port)}`,
    base_domain: 'localhost',
    operator_token_file: tokenFile,
    switch: 'sandbox',
    event_socket: { host, port, password_file: passwordFile },
    smpp: appliance.sandboxSmpp,
  }
  await writeFile(join(home, 'appliance.json'), JSON.stringify(file))
  return {
    port: appliance.port,
    operatorToken,
    home,
    async stop() {
      await appliance.stop()
      await ((await supportOf('mariadb')) as Database).stopSharedMariadb()
      await rm(home, { recursive: true, force: true })
    },
  }
}
