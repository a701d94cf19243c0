import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { usageError } from './usage-error.js'

/** A file as a form's field `file`, with further fields. @throws when it cannot be read */
export async function uploadOf(path: string, further: Record<string, string> = {}): Promise<FormData> {
  const content = await readFile(path).catch((error: unknown) => {
    throw usageError(`${path} cannot be read: ${(error as Error).message}`)
  })
  const form = new FormData()
  for (const [name, value] of Object.entries(further)) form.set(name, value)
  form.set('file', new Blob([content], { type: typeOf(path) }), basename(path))
  return form
}

/** Type by the file name: the server checks the content. */
function typeOf(path: string): string {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  return types[ending] ?? 'application/octet-stream'
}

const types: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
}
