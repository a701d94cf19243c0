import type { IncomingMessage } from 'node:http'
import { AnswerTooLongError } from './errors.js'

interface Bounds {
  maxResponseBytes: number
  tooLong: 'cut' | 'fail'
}

/** Reads a body up to a bound, and no further: the connection of a longer one is closed. */
export async function readBounded(
  response: IncomingMessage,
  { maxResponseBytes, tooLong }: Bounds,
  signal: AbortSignal,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxResponseBytes) break
  }
  signal.throwIfAborted()
  if (length > maxResponseBytes && tooLong === 'fail') {
    throw new AnswerTooLongError(`the answer is longer than ${maxResponseBytes} bytes`)
  }
  return Buffer.concat(chunks).subarray(0, maxResponseBytes)
}
