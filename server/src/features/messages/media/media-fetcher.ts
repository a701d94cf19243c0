/** Fetches files from the addresses that customers and carriers name. */
import {
  AnswerTooLongError,
  RequestFailedError,
  RequestRefusedError,
} from '../../../infrastructure/http-client/errors.js'
import type { GuardedClient, GuardedRequest } from '../../../infrastructure/http-client/guarded-client.js'
import type { ByteBudget } from '../../../infrastructure/http-client/read-bounded.js'
import { mediaRule, type ReadMedia, readMedia } from './media-type.js'

/** Files of a message. */
export const maxFiles = 10

/** For all files of a message, which are fetched in parallel. */
const deadlineMs = 15_000

/** The result of fetching one address. */
export type Fetched = { readonly media: ReadMedia } | FetchProblem

export interface FetchProblem {
  /** To follow the name of the field. */
  readonly problem: string
  /** Whether it may be another time. */
  readonly isPassing: boolean
}

interface FetchOptions {
  /** Request headers for a server. */
  headersOf?: (url: URL) => Readonly<Record<string, string>>
  /** Bytes of the message's files that are at hand already. */
  taken?: number
}

/** Statuses of servers that may do better later. */
const isPassing = (status: number) => status === 408 || status === 425 || status === 429 || status >= 500

export class MediaFetcher {
  /** @param maxBytes of all files of a message */
  constructor(
    private readonly client: GuardedClient,
    readonly maxBytes: number,
  ) {}

  /** Fetches files of a message, in their order. Never throws. */
  async fetch(
    workspaceId: string,
    urls: readonly string[],
    { headersOf = () => ({}), taken = 0 }: FetchOptions = {},
  ): Promise<Fetched[]> {
    const budget = { left: this.maxBytes - taken }
    return Promise.all(urls.map(async (url) => this.fetchOne({ url, owner: workspaceId, budget }, headersOf)))
  }

  /** The rule that an address breaks, to follow "must", or undefined. */
  brokenRule(url: string): string | undefined {
    return this.client.brokenRule(url)
  }

  get tooLarge(): FetchProblem {
    const megabytes = this.maxBytes / 1_048_576
    return { problem: `is too large: all files of a message may have ${megabytes} MB`, isPassing: false }
  }

  private async fetchOne(
    { url, owner, budget }: Pick<GuardedRequest, 'url' | 'owner'> & { budget: ByteBudget },
    headersOf: Required<FetchOptions>['headersOf'],
  ): Promise<Fetched> {
    const broken = this.client.brokenRule(url)
    if (broken) return { problem: `must ${broken}`, isPassing: false }
    try {
      const { status, body } = await this.client.request({
        ...{ method: 'GET', url, owner, headers: headersOf(new URL(url)), timeoutMs: deadlineMs, budget },
        ...{ maxResponseBytes: this.maxBytes, tooLong: 'fail' },
      })
      if (status !== 200)
        return { problem: `cannot be fetched: it answers ${status}`, isPassing: isPassing(status) }
      const media = readMedia(body)
      return media ? { media } : { problem: `must be ${mediaRule}`, isPassing: false }
    } catch (error) {
      return this.problemOf(error)
    }
  }

  private problemOf(error: unknown): FetchProblem {
    if (error instanceof AnswerTooLongError) return this.tooLarge
    if (!(error instanceof RequestFailedError)) throw error
    const isRefused = error instanceof RequestRefusedError
    return { problem: `cannot be fetched: ${error.message}`, isPassing: !isRefused }
  }
}
