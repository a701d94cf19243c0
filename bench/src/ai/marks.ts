/** Delays of marks that callers send, that the provider hears and gives back, and that come to the callers again. */
import type { Line } from './phones.js'

/** A mark is at the provider within this, or it is another one. */
const mostMs = 400

/** From the caller's packet to the one that returns. */
export function roundTrips(lines: readonly Line[]): number[] {
  return lines.flatMap(({ marks }) =>
    marks.flatMap(({ sentAt, backAt }) => (backAt === null ? [] : [backAt - sentAt])),
  )
}

/**
 * Both halves. Only their marks, which come at random moments, say which session of the provider belongs to which caller: it
 * is the session that has heard most of them soon after they were sent.
 * @param times when each session has heard marks
 */
export function oneWay(
  lines: readonly Line[],
  times: readonly (readonly number[])[],
): { up: number[]; down: number[] } {
  const up: number[] = []
  const down: number[] = []
  for (const { marks } of lines) {
    const matches = times.map((session) =>
      marks.map(({ sentAt, backAt }) => {
        const at = session.find((time) => time >= sentAt && time - sentAt < mostMs)
        return at === undefined ? null : { up: at - sentAt, down: backAt === null ? null : backAt - at }
      }),
    )
    const hits = (one: readonly unknown[]) => one.filter((match) => match !== null).length
    const best = matches.reduce<(typeof matches)[number]>(
      (most, one) => (hits(one) > hits(most) ? one : most),
      [],
    )
    for (const match of best) {
      if (!match) continue
      up.push(match.up)
      if (match.down !== null && match.down >= 0) down.push(match.down)
    }
  }
  return { up, down }
}
