/** Where the log goes. */
import { pino } from 'pino'

/** Of lines that cannot be written yet; what is more is dropped. */
const mostBytes = 4_000_000

/** @param fd [standard output] */
export function logDestination(fd = 1): ReturnType<typeof pino.destination> {
  const destination = pino.destination({ dest: fd, sync: true, maxLength: mostBytes })
  // A disk that is full must not end the server; what waits is written with the next line that can be.
  destination.on('error', () => undefined)
  return destination
}
