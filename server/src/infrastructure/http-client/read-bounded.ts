import type { IncomingMessage } from 'node:http'
import { AnswerTooLongError } from './errors.js'

interface Bounds {
  maxResponseBytes: number
  tooLong: 'cut' | 'fail'
  budget?: ByteBudget
}

/** Bytes that may still be read by several requests together. */
export interface ByteBudget {
  left: number
}

/** Reads a body up to a bound, and no further: the connection of a longer one is closed. */
export async function readBounded(
  response: IncomingMessage,
  { maxResponseBytes, tooLong, budget }: Bounds,
  signal: AbortSignal,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  let isSpent = false
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (budget) isSpent = (budget.left -= chunk.length) < 0
    if (length > maxResponseBytes || isSpent) break
  }
  signal.throwIfAborted()
  if (length > maxResponseBytes && tooLong === 'fail') {
    throw new AnswerTooLongError(`the answer is longer than ${maxResponseBytes} bytes`)
  }
  if (isSpent) throw new AnswerTooLongError('the answers are too long together')
  return Buffer.concat(chunks).subarray(0, maxResponseBytes)
}

/**
 * Reads the beginning of a body that decides nothing: up to a number of bytes and milliseconds, and what arrived of one that
 * breaks off. Then the connection is closed.
 */
export async function readBeginning(
  response: IncomingMessage,
  maxBytes: number,
  maxMs: number,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  const deadline = setTimeout(() => response.destroy(), maxMs)
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= maxBytes) break
    }
  } catch {
    // It was not needed.
  } finally {
    clearTimeout(deadline)
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}
