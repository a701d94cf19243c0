/** The files of messages, wired. */
import { join } from 'node:path'
import type { EntityManager } from 'typeorm'
import type { Logger } from 'pino'
import type { Config } from '../../../config/config.js'
import type { Database } from '../../../infrastructure/database/database.js'
import { GuardedClient } from '../../../infrastructure/http-client/guarded-client.js'
import type { PublicUrls } from '../../../infrastructure/http/public-urls.js'
import { Storages } from '../../../infrastructure/storage/storages.js'
import type { StoredBytes } from '../../workspaces/kept-bytes.js'
import type { MessageChange } from '../message-changes.js'
import type { Message } from '../message.entity.js'
import { type CarrierCredentials, InboundMedia } from './inbound-media.js'
import { MediaFetcher } from './media-fetcher.js'
import { MediaFiles } from './media-files.js'
import { MediaStore } from './media-store.js'
import { OutboundMedia } from './outbound-media.js'
import { OwnAddresses } from './own-media.js'
import { MediaUploads } from './uploads.js'

interface Options {
  database: Database
  network: Config['http_client']
  urls: PublicUrls
  mediaDirectory: string
  /** Files of messages lie in the bucket of recordings, where there is one. */
  bucket: Config['recordings']
  storedBytes: Pick<StoredBytes, 'check' | 'take' | 'hasRoom'>
  /** Limit of all files of a message together. */
  maxMegabytes: number
  credentialsOf: (carrierId: string) => Promise<CarrierCredentials | null>
  /** An inbound message has its files: called in the transaction that stores them. */
  arrived: (tx: EntityManager, message: Message) => Promise<void>
  /** The files of an accepted message are there: it is queued for its carrier. */
  enqueue: (tx: EntityManager, message: Message, carrierId: string | null) => Promise<void>
  /** The files cannot be fetched: the message fails. */
  fail: (tx: EntityManager, change: MessageChange) => Promise<void>
  log: Logger
}

export class Media {
  readonly store: MediaStore
  readonly uploads: MediaUploads
  readonly inbound: InboundMedia
  readonly outbound: OutboundMedia
  private readonly files: MediaFiles
  private readonly storages: Storages
  /** A client of its own, so that slow file servers take no connections from other features. */
  private readonly client: GuardedClient

  constructor(options: Options) {
    const { database, network, urls, mediaDirectory, bucket, maxMegabytes, log } = options
    this.storages = new Storages(join(mediaDirectory, 'messages'), bucket)
    this.files = new MediaFiles(database, this.storages, log)
    this.client = new GuardedClient(network)
    const fetcher = new MediaFetcher(this.client, maxMegabytes * 1_048_576)
    this.uploads = new MediaUploads(database, this.files, options.storedBytes)
    const own = new OwnAddresses(database, this.files, urls)
    this.store = new MediaStore(database, fetcher, this.files, this.uploads, own, options.storedBytes)
    const { files, store } = this
    this.inbound = new InboundMedia({ ...options, fetcher, files, store })
    this.outbound = new OutboundMedia({ ...options, store })
  }

  start(): void {
    this.files.start()
    this.inbound.start()
    this.outbound.start()
  }

  async stop(): Promise<void> {
    await Promise.all([this.files.stop(), this.inbound.stop(), this.outbound.stop()])
    this.client.close()
    this.storages.close()
  }
}
