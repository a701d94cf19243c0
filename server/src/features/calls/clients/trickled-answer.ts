/**
 * An app's answer with trickled ICE candidates (RFC 8838). The switch takes one answer only, with at least one
 * candidate, so candidates are collected for a moment and sent with it.
 */
import type { IceCandidate } from './client-leg-registry.js'

/** Candidates within this time are sent together, in milliseconds. */
const gatherMs = 150

/**
 * After this the answer is sent without candidates: the app's connectivity checks reveal its address (peer reflexive).
 */
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
    // An empty candidate is the last (W3C WebRTC, RTCPeerConnectionIceEvent).
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

/** Writes each candidate into its media section; into the first if it names none. */
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
