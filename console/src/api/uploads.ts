/** Files that go with the message that is being written: each is uploaded as it is chosen. */
import type { components } from '@jackfield/sdk'
import { dataOf, formOf } from '@jackfield/sdk'
import { useState } from 'react'
import { api } from '../../api/client'
import { messageOf } from '../../api/errors'

export type UploadedMedia = components['schemas']['UploadedMedia']

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
  readonly isUploading: boolean
  add: (files: readonly File[]) => void
  remove: (attachment: Attachment) => void
  /** They have gone with a message. */
  clear: () => void
}

let lastKey = 0

export function useAttachments(): Attachments {
  const [files, setFiles] = useState<readonly Attachment[]>([])
  const replace = (key: number, changes: Partial<Attachment>) =>
    setFiles((all) => all.map((one) => (one.key === key ? { ...one, ...changes } : one)))

  async function upload(key: number, file: File): Promise<void> {
    try {
      const media = await dataOf(api.POST('/call-center/media', { body: formOf<{ file: string }>({ file }) }))
      replace(key, { media })
    } catch (error) {
      replace(key, { problem: messageOf(error) })
    }
  }

  return {
    files,
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
      if (media) {
        void api
          .DELETE('/call-center/media/{id}', { params: { path: { id: media.id } } })
          .catch(() => undefined)
      }
    },
    clear: () => setFiles([]),
  }
}
