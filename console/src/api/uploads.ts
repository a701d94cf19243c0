/** Files that go with the message that is being written: each is uploaded as it is chosen. */
import type { components } from '@jackfield/sdk'
import { dataOf, formOf } from '@jackfield/sdk'
import { useState } from 'react'
import { api } from './client'
import { messageOf } from './errors'

export type UploadedMedia = components['schemas']['UploadedMedia']

/** Characters of a message (contract, Limits). */
export const longestText = 1_600

/** A message has so many (docs/messages.md). */
export const maxFiles = 10

/** What browsers offer to choose from; what a file is the API sees by its bytes. */
export const acceptedTypes = 'image/jpeg,image/png,image/gif,audio/*'

export interface Attachment {
  readonly key: number
  readonly name: string
  /** Null while it is being uploaded, and when that failed. */
  readonly media: UploadedMedia | null
  readonly problem: string | null
}

export interface Attachments {
  readonly files: readonly Attachment[]
  /** Of what is uploaded, for `media_urls`. */
  readonly urls: readonly string[]
  readonly isUploading: boolean
  add: (files: readonly File[]) => void
  remove: (attachment: Attachment) => void
  /** They have gone with a message. */
  clear: () => void
}

/** Where files wait for their message. */
export interface UploadPlace {
  keep: (file: File) => Promise<UploadedMedia>
  remove: (id: string) => Promise<unknown>
}

export const agentUploads: UploadPlace = {
  keep: async (file) => dataOf(api.POST('/call-center/media', { body: formOf<{ file: string }>({ file }) })),
  remove: async (id) => api.DELETE('/call-center/media/{id}', { params: { path: { id } } }),
}

export const adminUploads: UploadPlace = {
  keep: async (file) => dataOf(api.POST('/messages/media', { body: formOf<{ file: string }>({ file }) })),
  remove: async (id) => api.DELETE('/messages/media/{id}', { params: { path: { id } } }),
}

let lastKey = 0

export function useAttachments(place: UploadPlace): Attachments {
  const [files, setFiles] = useState<readonly Attachment[]>([])
  const replace = (key: number, changes: Partial<Attachment>) =>
    setFiles((all) => all.map((one) => (one.key === key ? { ...one, ...changes } : one)))

  async function upload(key: number, file: File): Promise<void> {
    try {
      replace(key, { media: await place.keep(file) })
    } catch (error) {
      replace(key, { problem: messageOf(error) })
    }
  }

  return {
    files,
    urls: files.flatMap(({ media }) => media?.url ?? []),
    isUploading: files.some(({ media, problem }) => !media && !problem),
    add: (chosen) => {
      const fitting = chosen.slice(0, maxFiles - files.length).map((file) => {
        lastKey += 1
        return { file, attachment: { key: lastKey, name: file.name, media: null, problem: null } }
      })
      setFiles((all) => [...all, ...fitting.map(({ attachment }) => attachment)])
      for (const { file, attachment } of fitting) void upload(attachment.key, file)
    },
    remove: ({ key, media }) => {
      setFiles((all) => all.filter((one) => one.key !== key))
      // It would be removed within a day in any case.
      if (media) place.remove(media.id).catch(() => undefined)
    },
    clear: () => setFiles([]),
  }
}
