/** Names of the protocol before its general availability. */
const olderNames = new Map([
  ['response.audio.delta', 'response.output_audio.delta'],
  ['response.audio.done', 'response.output_audio.done'],
  ['response.audio_transcript.delta', 'response.output_audio_transcript.delta'],
  ['response.audio_transcript.done', 'response.output_audio_transcript.done'],
  ['response.text.delta', 'response.output_text.delta'],
  ['response.text.done', 'response.output_text.done'],
])

/** The current name of an event. */
export function presentName(type: string): string {
  return olderNames.get(type) ?? type
}
