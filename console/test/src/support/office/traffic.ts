/** The requests of an office's consoles: which, how many, how fast, and how they were answered. */

/** In place of the status of a request that its page has taken back. */
export const takenBack = -1

/** One request and its answer. */
export interface Asked {
  /** Milliseconds since 1970. */
  at: number
  /** Username of the agent. */
  by: string
  method: string
  /** With its query; below /api/v1 for requests of the API. */
  path: string
  /** 0: no answer came. */
  status: number
  isApi: boolean
}

export interface PathTraffic {
  path: string
  requests: number
  /** In one second. */
  most: number
  /** How many answers had each status. */
  statuses: ReadonlyMap<number, number>
}

export class Traffic {
  readonly requests: Asked[] = []

  add(asked: Asked): void {
    this.requests.push(asked)
  }

  /** What should not have happened: requests that were refused, failed, or got no answer. */
  get failures(): Asked[] {
    return this.requests.filter(({ status }) => status === 0 || status === 429 || status >= 500)
  }

  /** The most requests of the API within one second. */
  get mostPerSecond(): number {
    return mostOf(this.requests.filter(({ isApi }) => isApi))
  }

  /** By path, the most frequent first; ids are left out, and files of the console are one row. */
  get byPath(): PathTraffic[] {
    const rows = new Map<string, Asked[]>()
    for (const asked of this.requests) {
      const path = asked.isApi ? `${asked.method} ${shapeOf(asked.path)}` : 'files of the console'
      rows.set(path, [...(rows.get(path) ?? []), asked])
    }
    return [...rows]
      .map(([path, asked]) => ({
        ...{ path, requests: asked.length, most: mostOf(asked) },
        statuses: countsOf(asked.map(({ status }) => status)),
      }))
      .sort((one, other) => other.requests - one.requests)
  }
}

const shapeOf = (path: string) => path.replace(/\?.*$/, '').replaceAll(/\/[a-z]+_[0-9A-Za-z]{8,}/g, '/:id')

function mostOf(asked: readonly Asked[]): number {
  return Math.max(0, ...countsOf(asked.map(({ at }) => Math.floor(at / 1_000))).values())
}

function countsOf<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
