import type Koa from 'koa'
import { ApiError } from './errors.js'

/**
 * The bytes of a body, as they were sent: for those that are signed.
 * @throws 413 when there are more than so many, 415 when they are compressed
 */
export async function readRawBody(ctx: Koa.Context, maxBytes: number): Promise<Buffer> {
  const coding = ctx.get('content-encoding')
  if (coding && coding !== 'identity') throw new ApiError(415, 'Send the body without Content-Encoding')
  const tooLarge = new ApiError(413, 'The request body is too large')
  if (ctx.request.length > maxBytes) throw tooLarge
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    ctx.req.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= maxBytes) chunks.push(chunk)
      // What is left is read and thrown away, so that the answer can be.
      else reject(tooLarge)
    })
    ctx.req.on('end', () => resolve(Buffer.concat(chunks)))
    ctx.req.on('error', reject)
    ctx.req.on('close', () =>
      reject(Object.assign(new Error('the request was aborted'), { code: 'ECONNABORTED' })),
    )
  })
}
