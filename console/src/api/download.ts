/** Files that the API answers, kept by the browser. */
import { ApiError, type ApiErrorBody } from '@jackfield/sdk'
import { authorizedFetch } from './client'

/** A file's content. @param path below /api/v1 @throws ApiError */
export async function contentOf(path: string, signal?: AbortSignal): Promise<Blob> {
  const response = await authorizedFetch(`/api/v1${path}`, signal ? { signal } : {})
  if (!response.ok) {
    const body = (await response.json().catch(() => undefined)) as ApiErrorBody | undefined
    throw new ApiError(response.status, body)
  }
  return response.blob()
}

/** Hands a file to the browser, as a link to it would. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
