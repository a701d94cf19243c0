/** Where files of one kind are stored: new ones in a bucket if there is one, else on a disk. */
import { DiskStorage } from './disk-storage.js'
import { S3Storage } from './s3-storage.js'
import { type Storage, type StorageKind, StorageUnavailableError } from './storage.js'

/** The operator's settings of a bucket. */
export interface BucketSettings {
  /** Empty: none. */
  readonly s3_bucket: string
  readonly s3_endpoint: string
  readonly s3_region: string
  readonly s3_access_key: string
  readonly s3_secret_key: string
  readonly s3_path_style: string
}

export class Storages {
  private readonly disk: DiskStorage
  private readonly s3: S3Storage | undefined

  constructor(directory: string, bucket: BucketSettings) {
    this.disk = new DiskStorage(directory)
    this.s3 = s3Of(bucket)
  }

  /** Where new files are kept. */
  get current(): Storage {
    return this.s3 ?? this.disk
  }

  /** Where a file lies that was kept before. @throws {StorageUnavailableError} */
  of(kind: StorageKind): Storage {
    if (kind === 'disk') return this.disk
    if (!this.s3) throw new StorageUnavailableError('S3 is not configured')
    return this.s3
  }

  /** Ends its connections. */
  close(): void {
    this.s3?.close()
  }
}

function s3Of(settings: BucketSettings): S3Storage | undefined {
  if (!settings.s3_bucket) return undefined
  return new S3Storage({
    endpoint: settings.s3_endpoint,
    region: settings.s3_region,
    bucket: settings.s3_bucket,
    accessKey: settings.s3_access_key,
    secretKey: settings.s3_secret_key,
    pathStyle: settings.s3_path_style === 'true',
  })
}
