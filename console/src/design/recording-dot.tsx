import './recording-dot.css'

interface RecordingDotProps {
  isPaused: boolean
  /** Read aloud; without it words beside the dot say it. */
  label?: string
}

/** The red dot of a recording: a ring while it is paused. */
export function RecordingDot({ isPaused, label }: RecordingDotProps) {
  const words =
    label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label, title: label }
  return <span className="jf-recording-dot" {...(isPaused && { 'data-paused': true })} {...words} />
}
