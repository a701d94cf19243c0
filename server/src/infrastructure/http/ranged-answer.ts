/** Files that are answered in whole or in part (RFC 9110, sections 13 and 14). */
import type { Readable } from 'node:stream'

/** Bytes of a file, both ends included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/** A file of a known size that never changes, answered as the request asks: whole, a range of it, or its headers. */
export class RangedAnswer {
  constructor(
    readonly file: {
      readonly type: string
      readonly size: number
      /** Without quotes; another file has another one. */
      readonly tag: string
      readonly headers: Readonly<Record<string, string>>
      /** Not called when nothing of it is sent. */
      open(range: ByteRange | undefined): Promise<Readable>
    },
  ) {}
}

/** What a request asks of a file. */
export interface FileRequest {
  readonly method: string
  header(name: string): string
}

/** How a file is answered. */
export interface FileReply {
  readonly status: 200 | 206 | 304 | 416
  readonly headers: Readonly<Record<string, string>>
  readonly range: ByteRange | undefined
}

/** Decides how a file is answered. Of several ranges none is taken: the whole file is an answer to that too. */
export function replyTo(request: FileRequest, { size, tag }: { size: number; tag: string }): FileReply {
  const etag = `"${tag}"`
  const headers = { 'Accept-Ranges': 'bytes', ETag: etag }
  if (namesTag(request.header('if-none-match'), etag)) return { status: 304, headers, range: undefined }
  const whole = {
    status: 200,
    headers: { ...headers, 'Content-Length': String(size) },
    range: undefined,
  } as const
  const ifRange = request.header('if-range')
  if (request.method !== 'GET' || (ifRange && ifRange !== etag)) return whole
  const range = rangeOf(request.header('range'), size)
  if (!range) return whole
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { ...headers, 'Content-Range': `bytes */${size}` }, range: undefined }
  }
  const { first, last } = range
  const part = {
    'Content-Length': String(last - first + 1),
    'Content-Range': `bytes ${first}-${last}/${size}`,
  }
  return { status: 206, headers: { ...headers, ...part }, range }
}

/** The one range of a `Range` header; undefined for none that can be understood, which is as if none were asked for. */
function rangeOf(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header) ?? []
  if (from === '' && to === '') return undefined
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length > 0 ? { first: size - length, last: size - 1 } : 'unsatisfiable'
  }
  const first = Number(from)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < first) return undefined
  return first < size ? { first, last } : 'unsatisfiable'
}

/** Whether an `If-None-Match` header names a tag; weak tags compare as strong ones there. */
function namesTag(header: string, etag: string): boolean {
  const tags = header.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag)
}
