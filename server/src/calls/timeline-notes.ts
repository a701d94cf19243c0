/** What a program did, on its way to the timeline: steps that follow one another at once are written together. */
import type { CallEvent } from './call-event.entity.js'

const gatherMs = 25

export class TimelineNotes {
  /** When the last one was made. */
  latest = new Date(0)
  private gathered: CallEvent[] = []
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly write: (notes: readonly CallEvent[]) => void) {}

  add(note: CallEvent): void {
    this.latest = note.created_at
    this.gathered.push(note)
    this.timer ??= setTimeout(() => this.flush(), gatherMs)
  }

  /** Hands over those that are not written yet. */
  take(): readonly CallEvent[] {
    clearTimeout(this.timer)
    this.timer = undefined
    const notes = this.gathered
    this.gathered = []
    return notes
  }

  flush(): void {
    const notes = this.take()
    if (notes.length > 0) this.write(notes)
  }
}
