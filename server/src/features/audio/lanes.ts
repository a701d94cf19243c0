/**
 * The queues of the media feature's programs. Each has slots of its own, so that a live call never waits behind an
 * upload or a recording, and serves workspaces in rotation.
 */
import { availableParallelism } from 'node:os'
import { ApiError, RateLimitError, UnavailableError } from '../../infrastructure/http/errors.js'
import { LineFullError, NoTurnError, type TurnLimits, Turns } from '../../lib/turns.js'

/** The purpose of a program: speech for a live call, speech of `POST /audios`, an upload, a recording. */
export type Lane = 'live' | 'speech' | 'upload' | 'recording'

const cores = availableParallelism()
const batch = Math.min(8, Math.max(2, cores))

/** No workspace may have all places of a lane. */
const limits: Record<Lane, TurnLimits & { waitingOfOwner: number }> = {
  live: { inAll: Math.max(4, cores), ofOwner: Math.max(2, cores - 1), waitingOfOwner: 100 },
  speech: { inAll: batch, ofOwner: batch - 1, waitingOfOwner: 50 },
  upload: { inAll: batch, ofOwner: batch - 1, waitingOfOwner: 50 },
  recording: { inAll: batch, ofOwner: batch - 1, waitingOfOwner: 1_000 },
}

/** Recordings are converted by a job that is retried; in the other lanes a caller or a request waits. */
const waitMs: Record<Lane, number> = { live: 30_000, speech: 30_000, upload: 30_000, recording: 600_000 }

/** Retry-After in seconds. */
const retryAfter = 5

const turns = new Map(Object.entries(limits).map(([lane, one]) => [lane as Lane, new Turns(one)]))

/**
 * Runs `work` in its workspace's turn.
 * @throws {ApiError} 429 when too many requests of the workspace wait, 503 when no turn comes in time; both with `Retry-After`
 */
export async function inLane<T>(lane: Lane, workspaceId: string, work: () => Promise<T>): Promise<T> {
  const line = turns.get(lane)
  if (!line) throw new Error(`there is no lane ${lane}`)
  try {
    return await line.take(workspaceId, waitMs[lane], work)
  } catch (error) {
    throw lineError(error, lane)
  }
}

function lineError(error: unknown, lane: Lane): unknown {
  if (error instanceof LineFullError) {
    return new RateLimitError(limits[lane].waitingOfOwner, retryAfter, 'audios of this workspace wait')
  }
  if (!(error instanceof NoTurnError)) return error
  return new UnavailableError('Too much audio is being converted: try again later', retryAfter)
}

/** A program took longer than it may. */
export const tookTooLong = (): ApiError =>
  new UnavailableError('Converting the audio took too long: try again later', retryAfter)
