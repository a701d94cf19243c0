/** Files in a bucket of Amazon S3, or of a server that speaks its protocol (MinIO, Ceph, Garage, …). */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { type ByteRange, ContentMissingError, type Storage, StorageUnavailableError } from './storage.js'

export interface S3Settings {
  /** Empty: Amazon's own. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKey: string
  readonly secretKey: string
  /** `https://host/bucket/key` in place of `https://bucket.host/key`. */
  readonly pathStyle: boolean
}

const ignore = () => undefined
const silent = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore }

// Which Node runs is a matter of the whole appliance; it is no news on every start.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'

const connectMs = 5_000
/** A connection without progress for this time, in milliseconds, is given up. */
const silenceMs = 30_000
const answerMs = 30_000

/** An upload slower than this is given up and tried again later: 50 kB/s. */
const uploadMs = (bytes: number) => 60_000 + Math.ceil(bytes / 50)

export class S3Storage implements Storage {
  readonly kind = 's3'
  private loading: Promise<Client> | undefined

  constructor(private readonly settings: S3Settings) {}

  /** Ends its connections. */
  close(): void {
    void this.loading?.then(({ s3 }) => s3.destroy(), ignore)
  }

  async put(key: string, content: string | Buffer, type: string): Promise<void> {
    const size = typeof content === 'string' ? (await stat(content)).size : content.length
    const open = () => (typeof content === 'string' ? createReadStream(content) : Readable.from([content]))
    const md5 = await md5Of(open())
    const body = open()
    try {
      await this.doing(async ({ s3, sdk }) =>
        s3.send(
          new sdk.PutObjectCommand({
            ...this.place(key),
            ...{ Body: body, ContentLength: size, ContentMD5: md5, ContentType: type },
          }),
          { abortSignal: AbortSignal.timeout(uploadMs(size)) },
        ),
      )
    } finally {
      body.destroy()
    }
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    return this.doing(async ({ s3, sdk }) => {
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), answerMs)
      try {
        const bytes = range && { Range: `bytes=${range.first}-${range.last}` }
        const command = new sdk.GetObjectCommand({ ...this.place(key), ...bytes })
        const answer = await s3.send(command, { abortSignal: late.signal })
        const body = answer.Body as Readable
        const asked = range && range.last - range.first + 1
        if (asked !== undefined && answer.ContentLength !== asked) {
          body.destroy()
          throw new Error('the server does not answer ranges')
        }
        return body
      } finally {
        // From here on it is the reader's pace that counts.
        clearTimeout(timer)
      }
    })
  }

  async remove(key: string): Promise<void> {
    await this.doing(async ({ s3, sdk }) =>
      s3.send(new sdk.DeleteObjectCommand(this.place(key)), {
        abortSignal: AbortSignal.timeout(answerMs),
      }),
    )
  }

  private place(key: string) {
    return { Bucket: this.settings.bucket, Key: key }
  }

  private async doing<T>(work: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await work(await (this.loading ??= load(this.settings)))
    } catch (error) {
      if (error instanceof Error && error.name === 'NoSuchKey')
        throw new ContentMissingError('it is not in the bucket')
      const { name, message, code } = error as Error & { code?: string }
      const reason = [code ?? name, message].filter(Boolean).join(': ')
      throw new StorageUnavailableError(`S3: ${reason}`, { cause: error })
    }
  }
}

/** Loaded on first use: the SDK is a sixth of what a server loads at its start, and most have no bucket. */
async function load({ endpoint, region, accessKey, secretKey, pathStyle }: S3Settings) {
  const sdk = await import('./s3-sdk.js')
  const s3 = new sdk.S3Client({
    region,
    ...(endpoint && { endpoint }),
    forcePathStyle: pathStyle,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    // The outbox tries again, over days; and a stream can be sent once only.
    maxAttempts: 1,
    // The checksums that Amazon added in 2024 are not understood by every other server; MD5 is.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Its words come to us as errors, which are logged where they are caught.
    logger: silent,
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs },
  })
  return { s3, sdk }
}

type Client = Awaited<ReturnType<typeof load>>

/** In base64, as the header Content-MD5 has it: the server refuses what arrives otherwise. */
async function md5Of(content: Readable): Promise<string> {
  const hash = createHash('md5')
  for await (const chunk of content) hash.update(chunk as Buffer)
  return hash.digest('base64')
}
