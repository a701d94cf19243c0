/** A place for files, each with a key of its own. */
import type { Readable } from 'node:stream'

export type StorageKind = 'disk' | 's3'

/** Bytes of a file, both ends included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/** The storage cannot be reached, or refuses us: a later attempt may succeed. */
export class StorageUnavailableError extends Error {}

/** Nothing is kept under this key. */
export class ContentMissingError extends Error {}

/** Every method throws {@link StorageUnavailableError} when the storage does not do its work. */
export interface Storage {
  readonly kind: StorageKind
  /**
   * Keeps a file, in the place of an earlier one of the same key; it stays when this has returned.
   * @param content the path of a file, or its bytes
   */
  put(key: string, content: string | Buffer, type: string): Promise<void>
  /** Reads a file, or some of its bytes. @throws {ContentMissingError} */
  open(key: string, range?: ByteRange): Promise<Readable>
  /** Removes a file; harmless when there is none. */
  remove(key: string): Promise<void>
}
