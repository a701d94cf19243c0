/** The provider of speech models, as a process of its own: the tests' realtime server, and when it hears a mark. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { RealtimeServer } from '../../../server/dist/test/support/realtime-server.js'
import { RealtimeSession } from '../../../server/dist/test/support/realtime-session.js'
import { answerWith, now } from './part.js'

/** When each session has heard marks, by session. */
let heard = new Map<object, number[]>()
const delay = monitorEventLoopDelay({ resolution: 1 })
let server: RealtimeServer | undefined
let longMs = 0

/** Marks are further apart than this. */
const apartMs = 200

const loud = 4_000

/** Notes what passes by. */
function watch(): void {
  const prototype = RealtimeSession.prototype as unknown as { hear: (this: object, base64: string) => void }
  const { hear } = prototype
  prototype.hear = function (this: object, base64: string) {
    const at = now()
    const bytes = Buffer.from(base64, 'base64')
    for (let index = 0; index + 1 < bytes.length; index += 2) {
      if (Math.abs(bytes.readInt16LE(index)) < loud) continue
      const times = heard.get(this) ?? []
      if (at - (times.at(-1) ?? 0) > apartMs) times.push(at)
      heard.set(this, times)
      hear.call(this, base64)
      return
    }
    // Silence is not given back: what waits to be played would stay late after every lag of the machine.
    if (!server?.isEcho) hear.call(this, base64)
  }
}

export const providerWork = {
  /** Begins. @param talkMs of each thing that it says @returns its base URL */
  open: async ({ talkMs }: { talkMs: number }): Promise<string> => {
    watch()
    server = await RealtimeServer.start()
    server.keepsSound = false
    server.hz = 800
    longMs = server.answerMs = talkMs
    delay.enable()
    return server.baseUrl
  },
  /** From now on it gives back the marks that it hears, and does nothing else; or talks. */
  echo: (on: boolean): void => {
    if (server) Object.assign(server, { isEcho: on, answerMs: on ? 100 : longMs })
    heard = new Map()
    delay.reset()
  },
  /** When marks were heard, session by session, and how late this process itself was, p99. */
  marks: (): { times: number[][]; ownLatenessMs: number } => ({
    times: [...heard.values()],
    ownLatenessMs: delay.percentile(99) / 1e6,
  }),
  violations: (): string[] => server?.violations ?? [],
}

answerWith(providerWork)
