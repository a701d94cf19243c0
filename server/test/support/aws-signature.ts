/** AWS Signature Version 4 of a request, computed again as Amazon documents it (S3: “Authenticating Requests”). */
import { createHash, createHmac } from 'node:crypto'

export interface SignedRequest {
  method: string
  /** Path and query as they were sent. */
  url: string
  headers: Readonly<Record<string, string | string[] | undefined>>
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Whether the `Authorization` header of a request is what its secret key makes of the rest of it. */
export function isSignedWith(secretKey: string, { method, url, headers }: SignedRequest): boolean {
  const header = (name: string) => [headers[name] ?? ''].flat().join(',').trim().replace(/ +/g, ' ')
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[^/]+\/s3\/aws4_request), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
  const [, , scope = '', names = '', signature] = pattern.exec(header('authorization')) ?? []
  if (!signature || !names.split(';').includes('host')) return false
  const [path = '', query = ''] = url.split('?', 2)
  const pairs = query.split('&').filter(Boolean)
  const canonical = [
    method,
    path,
    pairs
      .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
      .sort()
      .join('&'),
    ...names.split(';').map((name) => `${name}:${header(name)}`),
    '',
    names,
    header('x-amz-content-sha256'),
  ].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', header('x-amz-date'), scope, sha256(canonical)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secretKey}`)
  return hmac(key, toSign).toString('hex') === signature
}
