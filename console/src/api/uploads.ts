/** Files that go with the message that is being written: each is uploaded as it is chosen. */
import type { components } from '@jackfield/sdk'
import { dataOf, formOf } from '@jackfield/sdk'
import { useState, useSyncExternalStore } from 'react'
import { api } from './client'
import { messageOf } from './errors'
import { Watched } from './watched'

export type UploadedMedia = components['schemas']['UploadedMedia']

/** Characters of a message (contract, Limits). */
export const longestText = 1_600

/** A message has so many (docs/messages/sms-and-mms.md). */
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
  /** Nothing is being uploaded, and nothing has failed to. */
  readonly isComplete: boolean
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

/** The files of one message. A draft keeps them while nothing shows them. */
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
    // It would be removed within a day in any case.
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

/** For a message that is forgotten with its form. */
export function useAttachments(place: UploadPlace): Attachments {
  const [message] = useState(() => new AttachedFiles(place))
  return useAttachedFiles(message)
}
