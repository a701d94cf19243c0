/** Answers that are the same for all: one copy of them, however many read it, and however slowly. */
import { Readable } from 'node:stream'
import type Koa from 'koa'

/** What a reader who takes nothing costs us at the most; over TLS all that is written is copied. */
const sliceBytes = 65_536

/** Answers with bytes that others are answered with, too, at the pace of who reads them. */
export function answerShared(ctx: Koa.Context, type: string, bytes: Buffer): void {
  ctx.type = type
  ctx.body = bytes.length <= sliceBytes ? bytes : Readable.from(slices(bytes))
  // At the end: Koa takes a stream's length to be unknown.
  ctx.length = bytes.length
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes)
}
