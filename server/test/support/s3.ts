/**
 * A server that speaks S3: s3rver, behind a door that lets only requests in whose signatures and checksums hold,
 * which s3rver itself does not look at.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type IncomingMessage, type Server, type ServerResponse, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { isSignedWith } from './aws-signature.js'

/** The one key that s3rver knows. */
const accessKey = 'S3RVER'
const secretKey = 'S3RVER'
const bucket = 'recordings'

export class S3 {
  /** Methods and paths of all requests, refused ones too. */
  readonly requests: string[] = []
  private door: Server | undefined
  private port = 0

  private constructor(
    private readonly store: S3rver,
    private readonly storePort: number,
    private readonly directory: string,
  ) {}

  static async start(): Promise<S3> {
    const directory = await mkdtemp(join(tmpdir(), 'jackfield-s3-'))
    const store = new S3rver({
      ...{ port: 0, address: '127.0.0.1', silent: true, directory },
      configureBuckets: [{ name: bucket, configs: [] }],
    })
    const { port } = await store.run()
    const s3 = new S3(store, port, directory)
    await s3.comeBack()
    return s3
  }

  /** Settings of a server that keeps its recordings here. */
  get settings(): Record<string, string> {
    return {
      JACKFIELD_RECORDINGS_S3_ENDPOINT: this.endpoint,
      JACKFIELD_RECORDINGS_S3_BUCKET: bucket,
      JACKFIELD_RECORDINGS_S3_ACCESS_KEY: accessKey,
      JACKFIELD_RECORDINGS_S3_SECRET_KEY: secretKey,
    }
  }

  /** The same for a client. */
  get client() {
    const { endpoint } = this
    return { endpoint, region: 'us-east-1', bucket, accessKey, secretKey, pathStyle: true }
  }

  /** It cannot be reached until it comes back. */
  async goAway(): Promise<void> {
    this.door?.closeAllConnections()
    await new Promise((done) => this.door?.close(done) ?? done(undefined))
    this.door = undefined
  }

  async comeBack(): Promise<void> {
    const door = createServer((incoming, response) => void this.admit(incoming, response))
    door.listen(this.port, '127.0.0.1')
    await once(door, 'listening')
    this.port = (door.address() as AddressInfo).port
    this.door = door
  }

  /** Keys of all objects. */
  async keys(): Promise<string[]> {
    const names = await readdir(join(this.directory, bucket), { recursive: true })
    return names.flatMap((name) => /^(.+)\._S3rver_object$/.exec(name)?.[1] ?? []).sort()
  }

  async stop(): Promise<void> {
    await this.goAway()
    await this.store.close()
    await rm(this.directory, { recursive: true, force: true })
  }

  private get endpoint(): string {
    return `http://127.0.0.1:${this.port}`
  }

  private async admit(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming
    this.requests.push(`${method} ${url}`)
    const chunks = (await incoming.toArray().catch(() => [])) as Buffer[]
    const content = Buffer.concat(chunks)
    const md5 = createHash('md5').update(content).digest('base64')
    const isIntact = headers['content-md5'] === undefined || headers['content-md5'] === md5
    if (!isSignedWith(secretKey, { method, url, headers })) {
      refuse(response, 'SignatureDoesNotMatch')
      return
    }
    if (!isIntact) {
      refuse(response, 'BadDigest')
      return
    }
    const inner = request(
      { port: this.storePort, host: '127.0.0.1', method, path: url, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      },
    )
    inner.on('error', () => response.destroy())
    response.on('close', () => inner.destroy())
    inner.end(content)
  }
}

function refuse(response: ServerResponse, code: string): void {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>Refused</Message></Error>`
  response.writeHead(403, { 'content-type': 'application/xml' }).end(body)
}
