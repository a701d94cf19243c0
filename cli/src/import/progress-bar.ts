/** A progress bar on the terminal; renders nothing without one. */
import { SingleBar } from 'cli-progress'
import type { LineResult } from './importer.js'

export interface ProgressBar {
  done(result: LineResult): void
  /** Shows that the API's rate limit delays the import. */
  wait(seconds: number): void
  stop(): void
}

/** @param failed lines that are invalid and not sent */
export function progressBar(total: number, failed: number): ProgressBar {
  const bar = new SingleBar({
    stream: process.stderr,
    format: '{bar} {value}/{total} lines, {failed} failed, {eta_formatted} left{note}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    hideCursor: true,
    gracefulExit: false,
    clearOnComplete: true,
    noTTYOutput: false,
  })
  let failures = failed
  bar.start(total, 0, { failed, note: '' })
  return {
    done({ outcome }: LineResult) {
      if (outcome === 'failed') failures++
      bar.increment(1, { failed: failures, note: '' })
    },
    wait: (seconds) => bar.update({ note: `, waiting ${String(seconds)} s for the rate limit` }),
    stop: () => bar.stop(),
  }
}
