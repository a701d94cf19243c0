/** Answers with files, at the pace of who reads them. */
import type Koa from 'koa'
import { ApiError } from './errors.js'
import { type RangedAnswer, replyTo } from './ranged-answer.js'

/** A reader that took nothing of a file for this time is disconnected. */
export const stalledReaderMs = 60_000

/** Sends a file, or the part of it that is asked for, at the pace of who reads it. */
export async function answerFile(ctx: Koa.Context, { file }: RangedAnswer): Promise<void> {
  const request = { method: ctx.method, header: (name: string) => ctx.get(name) }
  const { status, headers, range } = replyTo(request, file)
  const isSent = ctx.method !== 'HEAD' && (status === 200 || status === 206)
  // A file that cannot be opened is answered as any failure is, without the headers of a file.
  const content = isSent ? await file.open(range) : undefined
  ctx.status = status
  if (status === 416) {
    ctx.body = new ApiError(status, `The range is not within the ${file.size} bytes of the file`).body()
  } else if (status !== 304) {
    ctx.type = file.type
    ctx.set(file.headers)
  }
  if (content) {
    ctx.res.setTimeout(stalledReaderMs, () => ctx.res.destroy())
    ctx.body = content
  }
  // At the end: Koa takes a stream's length to be unknown.
  ctx.set(headers)
}
