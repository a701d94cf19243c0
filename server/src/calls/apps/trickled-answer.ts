/**
 * An app's answer whose ICE candidates may come behind it (trickle ICE, RFC 8838). The switch takes an answer once, and
 * with at least one candidate in it: what comes is gathered for a moment and sent as one.
 */
import type { IceCandidate } from './app-seats.js'

/** Candidates that follow one another within this go together, in milliseconds. */
const gatherMs = 150

/** An answer goes without candidates after this: those that the app's checks come from are found by themselves. */
const waitMs = 2_000

const maxCandidates = 50

export class TrickledAnswer {
  private readonly candidates: IceCandidate[] = []
  private timer: NodeJS.Timeout | undefined
  private isSent = false

  constructor(
    private readonly sdp: string,
    private readonly send: (sdp: string) => void,
  ) {
    if (/^a=candidate:/m.test(sdp)) this.flush()
    else this.wait(waitMs)
  }

  add(candidate: IceCandidate): void {
    if (this.isSent || this.candidates.length >= maxCandidates) return
    // The empty one is the last (W3C WebRTC, RTCPeerConnectionIceEvent).
    if (candidate.candidate === '') {
      this.flush()
      return
    }
    this.candidates.push(candidate)
    this.wait(gatherMs)
  }

  stop(): void {
    clearTimeout(this.timer)
    this.isSent = true
  }

  private wait(ms: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.flush(), ms)
  }

  private flush(): void {
    this.stop()
    this.send(withCandidates(this.sdp, this.candidates))
  }
}

/** Writes each candidate into its section of the description, the first where none is named. */
function withCandidates(sdp: string, candidates: readonly IceCandidate[]): string {
  if (candidates.length === 0) return sdp
  const [session = '', ...media] = sdp.split(/^(?=m=)/m)
  const sections = media.map((text, index) => {
    const mid = /^a=mid:(\S+)/m.exec(text)?.[1]
    const own = candidates.filter(({ sdpMid, sdpMLineIndex }) =>
      sdpMid ? sdpMid === mid : (sdpMLineIndex ?? 0) === index,
    )
    const lines = own.map(({ candidate }) => `a=${candidate.replace(/^a=/, '').replace(/[\r\n]/g, '')}\r\n`)
    return text.replace(/(?<!\n)$/, '\r\n') + lines.join('')
  })
  return session + sections.join('')
}
