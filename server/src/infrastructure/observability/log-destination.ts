/** Where the log goes. */
import { pino } from 'pino'

/** Of lines that cannot be written yet; what is more is dropped. */
const mostBytes = 4_000_000

/**
 * How long a line waits for others, in milliseconds: a write for each took a sixth of a short request's time. A server
 * that is killed loses the lines of this time; one that ends or crashes writes them.
 */
const togetherMs = 10

/** More are written at once. */
const fewBytes = 8_192

/** @param fd [standard output] */
export function logDestination(fd = 1): ReturnType<typeof pino.destination> {
  const destination = pino.destination({ dest: fd, sync: true, minLength: fewBytes, maxLength: mostBytes })
  // A disk that is full must not end the server; what waits is written with the next line that can be.
  destination.on('error', () => undefined)
  const write = destination.write.bind(destination)
  let isDue = false
  const flush = () => {
    isDue = false
    destination.flush()
  }
  destination.write = (line: string) => {
    if (!isDue) {
      isDue = true
      setTimeout(flush, togetherMs).unref()
    }
    return write(line)
  }
  // Its flushSync() waits for ever where the disk is full.
  process.on('exit', flush)
  return destination
}
