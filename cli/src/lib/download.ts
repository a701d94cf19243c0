/** Streams a file from the server to disk. */
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { ApiError } from '@jackfield/sdk'
import { usageError } from './usage-error.js'

interface Answered {
  data?: unknown
  error?: unknown
  response: Response
}

/**
 * Writes the response of a request with `parseAs: 'stream'` to a new file, or to the standard output.
 * @returns number of bytes
 */
export async function download({ data, error, response }: Answered, path: string | undefined) {
  if (!data) throw new ApiError(response.status, error)
  let bytes = 0
  const source = Readable.fromWeb(data as ReadableStream<Uint8Array>)
  const counted = source.map((chunk: Uint8Array) => {
    bytes += chunk.length
    return chunk
  })
  if (path === undefined) {
    for await (const chunk of counted) process.stdout.write(chunk as Uint8Array)
  } else {
    const file = await open(path, 'wx').catch((failure: unknown) => {
      if ((failure as NodeJS.ErrnoException).code === 'EEXIST')
        throw usageError(`${path} is there already: name another --output`)
      throw failure
    })
    await pipeline(counted, file.createWriteStream())
  }
  return { file: path ?? null, size: bytes }
}
