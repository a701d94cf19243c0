/** Detects who has answered a call, over a tap of its script leg. */
import type { Logger } from 'pino'
import type { Channel } from '../../../../adapters/freeswitch/channel.js'
import type { Switchboard } from '../../../../adapters/freeswitch/switchboard.js'
import type { SoundAnalysis } from '../../../../adapters/speech/sound/sound-analysis.js'
import type { Call } from '../../model/call.entity.js'
import { Tap } from '../../media-streams/tap.js'
import type { Answered } from '../../model/script-results.js'
import { AnswerDetector } from './answer-detector.js'

interface Options {
  readonly switchboard: Switchboard
  readonly analysis: Pick<SoundAnalysis, 'open'>
  readonly log: Logger
}

export interface DetectionRequest {
  readonly call: Readonly<Call>
  readonly line: Channel
  /** See {@link AnswerDetector}. */
  readonly toEnd: boolean
  /** Seconds until it gives up. */
  readonly seconds: number
  readonly signal: AbortSignal
}

const rate = 8_000
const silentFrame = new Int16Array(rate / 50)

/** No RTP for this long counts as silence. */
const gapMs = 200
const framesOfGap = gapMs / 20

/** The switch ends a tap whose server has crashed after this. */
const tapGraceSeconds = 15

export class MachineDetection {
  constructor(private readonly options: Options) {}

  /** @returns `unknown` also if the leg cannot be tapped */
  async whoAnswers(request: DetectionRequest): Promise<Answered> {
    const detector = new AnswerDetector(rate, request.toEnd)
    try {
      return await this.listen(request, detector)
    } catch (error) {
      this.options.log.warn(
        { event: 'call.machine_detection_failed', err: error, call: request.call.id },
        'machine detection failed',
      )
      return detector.timedOut()
    }
  }

  private async listen(request: DetectionRequest, detector: AnswerDetector): Promise<Answered> {
    const { call, line, seconds, signal } = request
    const { analysis, switchboard } = this.options
    let settle: (found: Answered) => void = () => undefined
    const found = new Promise<Answered>((resolve) => (settle = resolve))
    const giveUp = () => settle(detector.timedOut())
    const waiting: Int16Array[] = []
    let isHeard = false
    const hear = (frame: Int16Array, probability: number) => {
      const answered = detector.hear(frame, probability)
      if (answered) settle(answered)
    }
    const late = setTimeout(giveUp, seconds * 1_000)
    signal.addEventListener('abort', giveUp, { once: true })
    const stream = await analysis.open(rate, {
      judged: ({ probability }) => hear(waiting.shift() ?? silentFrame, probability),
      cleaned: () => undefined,
      failed: giveUp,
    })
    let gaps: NodeJS.Timeout | undefined
    let tap: Tap | null = null
    try {
      tap = await Tap.open({
        ...{ switchboard, target: line, track: 'inbound', sampleRate: rate },
        ...{ maxDuration: seconds + tapGraceSeconds, recoveryVariables: { jackfield_call: call.id } },
      })
      tap?.on('frame', (samples) => {
        isHeard = true
        waiting.push(samples.slice())
        stream.hear(samples.slice(), silentFrame.slice())
      })
      tap?.on('ended', giveUp)
      if (!tap || signal.aborted) giveUp()
      gaps = setInterval(() => {
        for (let count = 0; !isHeard && count < framesOfGap; count++) hear(silentFrame, 0)
        isHeard = false
      }, gapMs)
      return await found
    } finally {
      clearTimeout(late)
      clearInterval(gaps)
      signal.removeEventListener('abort', giveUp)
      tap?.stop()
      stream.close()
    }
  }
}
