/** Attachments of a message being written: each is uploaded when it is chosen. */
import type { components } from '@jackfield/sdk'
import { dataOf, formOf } from '@jackfield/sdk'
import { useState, useSyncExternalStore } from 'react'
import { api } from './client'
import { messageOf } from './errors'
import { Watched } from './watched'

export type UploadedMedia = components['schemas']['UploadedMedia']

/** Characters of a message (contract, Limits). */
export const longestText = 1_600

/** Most files of a message (docs/messages/sms-and-mms.md). */
export const maxFiles = 10

/** File types offered by the browser's dialog; the API checks the bytes. */
export const acceptedTypes = 'image/jpeg,image/png,image/gif,audio/*'

export interface Attachment {
  readonly key: number
  readonly name: string
  /** Null during the upload, and after it failed. */
  readonly media: UploadedMedia | null
  readonly problem: string | null
}

export interface Attachments {
  readonly files: readonly Attachment[]
  /** URLs of the uploaded files, for `media_urls`. */
  readonly urls: readonly string[]
  /** No upload is running, and none has failed. */
  readonly isComplete: boolean
  add: (files: readonly File[]) => void
  remove: (attachment: Attachment) => void
  /** The files were sent with a message. */
  clear: () => void
}

/** Stores the files of unsent messages. */
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

/** The files of one message. A draft keeps them while no form shows them. */
export class AttachedFiles extends Watched<readonly Attachment[]> {
  constructor(private readonly place: UploadPlace) {
    super([])
  }

  readonly add = (chosen: readonly File[]): void => {
    const fitting = chosen.slice(0, maxFiles - this.state.length).map((file) => {
      lastKey += 1
      return { file, attachment: { key: lastKey, name: file.name, media: null, problem: null } }
    })
    this.set([...this.state, ...fitting.map(({ attachment }) => attachment)])
    for (const { file, attachment } of fitting) void this.upload(attachment.key, file)
  }

  readonly remove = ({ key, media }: Attachment): void => {
    this.set(this.state.filter((one) => one.key !== key))
    // The server removes it within a day anyway.
    if (media) this.place.remove(media.id).catch(() => undefined)
  }

  readonly clear = (): void => this.set([])

  private async upload(key: number, file: File): Promise<void> {
    try {
      this.replace(key, { media: await this.place.keep(file) })
    } catch (error) {
      this.replace(key, { problem: messageOf(error) })
    }
  }

  private replace(key: number, changes: Partial<Attachment>): void {
    this.set(this.state.map((one) => (one.key === key ? { ...one, ...changes } : one)))
  }
}

export function useAttachedFiles(message: AttachedFiles): Attachments {
  const files = useSyncExternalStore(message.subscribe, message.snapshot)
  const { add, remove, clear } = message
  const urls = files.flatMap(({ media }) => media?.url ?? [])
  return { files, urls, isComplete: urls.length === files.length, add, remove, clear }
}

/** For a message that is discarded with its form. */
export function useAttachments(place: UploadPlace): Attachments {
  const [message] = useState(() => new AttachedFiles(place))
  return useAttachedFiles(message)
}
