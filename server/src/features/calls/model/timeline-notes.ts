/** Timeline events of a script: events in quick succession are written together. */
import type { CallEvent } from './call-event.entity.js'

const gatherMs = 25

export class TimelineNotes {
  /** Time of the last event. */
  latest = new Date(0)
  private gathered: CallEvent[] = []
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly write: (notes: readonly CallEvent[]) => void) {}

  add(note: CallEvent): void {
    this.latest = note.created_at
    this.gathered.push(note)
    this.timer ??= setTimeout(() => this.flush(), gatherMs)
  }

  /** Returns and clears the events that are not written yet. */
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
